// The comparators of both databases.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "write.h"

enum Order { BYTES, REVERSE, NUMBERS, TIMESTAMPS };

inline double number(std::string_view key) {
	double n;
	memcpy(&n, key.data(), sizeof n);
	return n;
}

inline int compare(Order order, std::string_view a, std::string_view b) {
	switch (order) {
	case NUMBERS: {
		double x = number(a), y = number(b);
		return x < y ? -1 : x > y;
	}
	case REVERSE:
		return b.compare(a);
	default:
		return a.compare(b);
	}
}

// Own is a comparator of either database, with its interface and slices. It shortens no keys.
template <class Comparator, class Slice> class Own : public Comparator {
  public:
	explicit Own(Order order) : order_(order) {}
	int Compare(const Slice& a, const Slice& b) const override {
		return compare(order_, {a.data(), a.size()}, {b.data(), b.size()});
	}
	const char* Name() const override { return order_ == NUMBERS ? "test.Numbers" : "test.Reverse"; }
	void FindShortestSeparator(std::string*, const Slice&) const override {}
	void FindShortSuccessor(std::string*) const override {}

  private:
	Order order_;
};

// sorted returns keys in an order.
inline std::vector<std::string_view> sorted(Order order, keys in) {
	std::vector<std::string_view> all;
	for (size_t i = 0, begin = 0; i < in.n; begin = in.ends[i++]) {
		all.emplace_back(in.bytes + begin, in.ends[i] - begin);
	}
	std::sort(all.begin(), all.end(), [&](auto a, auto b) { return compare(order, a, b) < 0; });
	return all;
}
