package org.ordago.bot.testing;

import java.util.List;
import java.util.Map;

/**
 * A match that {@link LocalPlay} played.
 *
 * @param matchId its ID
 * @param number its number, from 1
 * @param game the short name of the game
 * @param seats the seats, in the order of play
 * @param faults the number of decisions that were taken by default, of all seats
 * @param forfeits the seats that forfeited
 */
public record PlayedMatch(
        String matchId, int number, String game, List<Seat> seats, int faults, List<Forfeit> forfeits) {
    /**
     * A seat.
     *
     * @param bot the number of the bot in it, from 0, in the order in which they were named
     * @param name the name of that bot
     * @param score its score
     * @param placing its placing, from 1
     * @param strikes the number of its refused answers by rule
     */
    public record Seat(int bot, String name, int score, int placing, Map<String, Integer> strikes) {}

    /**
     * A forfeit.
     *
     * @param seat the seat
     * @param fault its fault, by the name in the contract
     */
    public record Forfeit(int seat, String fault) {}

    /** Returns the seat of a bot, by its number from 0. */
    public Seat seatOf(int bot) {
        return seats.stream().filter(seat -> seat.bot() == bot).findFirst().orElseThrow();
    }
}
