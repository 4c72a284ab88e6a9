// A bot that plays any game, by random legal actions.
#include <ordago/bot.h>

class RandomBot : public ordago::Bot {
 public:
  using Bot::Bot;

  ordago::Answer choose(const ordago::v1::Decision& decision) override {
    return ordago::complete(random().pick(decision.actions()), random());
  }
};

int main(int argc, char** argv) {
  return ordago::run<RandomBot>(argc, argv, {.name = "random-cpp", .version = "0.1.0"});
}
