package org.ordago.bot.testing;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Matches on this machine, by {@code ordago play}. */
public final class LocalPlay {
    private static final Gson JSON = new GsonBuilder()
            .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
            .create();

    private LocalPlay() {}

    /**
     * Plays matches between bots, which rotate over the seats: with n bots, n matches in a row deal the same cards.
     *
     * @param game the short name of the game
     * @param matches the number of matches
     * @param bots the bots, such as {@code cmd:java -jar target/bot.jar} and {@code house:random}
     * @return the matches, in order
     * @throws IOException there is no program {@code ordago}, or it failed; the message has what it said
     */
    public static List<PlayedMatch> play(String game, int matches, String... bots)
            throws IOException, InterruptedException {
        return play(
                Objects.requireNonNullElse(System.getenv("ORDAGO_PROGRAM"), "ordago"), game, matches, List.of(bots));
    }

    static List<PlayedMatch> play(String program, String game, int matches, List<String> bots)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program, "play", game));
        bots.stream().flatMap(bot -> Stream.of("--bot", bot)).forEach(command::add);
        command.addAll(List.of("--matches", Integer.toString(matches), "--json"));
        Path said = Files.createTempFile("ordago", ".log");
        try {
            return lines(command, said)
                    .map(line -> JSON.fromJson(line, PlayedMatch.class))
                    .toList();
        } finally {
            Files.delete(said);
        }
    }

    private static Stream<String> lines(List<String> command, Path said) throws IOException, InterruptedException {
        Process process = started(command, said);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: "
                    + Files.readString(said).strip());
        }
        return output.lines();
    }

    private static Process started(List<String> command, Path said) throws IOException {
        try {
            return new ProcessBuilder(command).redirectError(said.toFile()).start();
        } catch (IOException error) {
            throw new IOException(
                    "there is no program " + command.get(0)
                            + ": install ordago, or name it in the variable ORDAGO_PROGRAM",
                    error);
        }
    }
}
