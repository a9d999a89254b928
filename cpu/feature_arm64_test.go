package cpu

const featureOfBasicLevel = "cpu.asimd"
