#include "bot.h"

int main(int argc, char** argv) { return ordago::run<MyBot>(argc, argv, {.name = "@NAME@", .version = "0.1.0"}); }
