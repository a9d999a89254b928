package cpu

const featureOfBasicLevel = "cpu.avx2"
