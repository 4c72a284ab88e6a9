package org.ordago.bot.testing;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.ordago.bot.Bot;
import org.ordago.bot.Match;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Refused;

/**
 * A line of a file that a bot wrote with {@code --log-decisions}.
 *
 * @param start the match
 * @param decision the decision
 * @param refused the refusal after which the bot was asked again; empty the first time
 * @param answer the answer that was sent; empty if the bot failed and its process ended
 * @param milliseconds the time that the bot thought
 * @param error the failure of the bot; empty if it did not fail
 */
public record LoggedDecision(
        MatchStart start,
        Decision decision,
        Optional<Refused> refused,
        Optional<Answer> answer,
        long milliseconds,
        Optional<String> error) {
    /**
     * Returns the decisions in a file, in order.
     *
     * @throws IOException the file cannot be read, or a line of it is none of such a file
     */
    public static List<LoggedDecision> load(Path file) throws IOException {
        List<LoggedDecision> decisions = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            try {
                decisions.add(parse(JsonParser.parseString(line).getAsJsonObject()));
            } catch (IOException | RuntimeException error) {
                throw new IOException(
                        file + ", line " + (decisions.size() + 1) + ": it is no logged decision: " + error.getMessage(),
                        error);
            }
        }
        return decisions;
    }

    private static LoggedDecision parse(JsonObject line) throws InvalidProtocolBufferException {
        MatchStart.Builder start = MatchStart.newBuilder();
        Decision.Builder decision = Decision.newBuilder();
        Refused.Builder refused = Refused.newBuilder();
        Answer.Builder answer = Answer.newBuilder();
        merge(line, "start", start);
        merge(line, "decision", decision);
        return new LoggedDecision(
                start.build(),
                decision.build(),
                line.has("refused")
                        ? Optional.of(merge(line, "refused", refused).build())
                        : Optional.empty(),
                line.has("answer") ? Optional.of(merge(line, "answer", answer).build()) : Optional.empty(),
                line.get("milliseconds").getAsLong(),
                line.has("error") ? Optional.of(line.get("error").getAsString()) : Optional.empty());
    }

    private static <B extends Message.Builder> B merge(JsonObject line, String key, B into)
            throws InvalidProtocolBufferException {
        // A newer server may have logged fields that this SDK does not know.
        JsonFormat.parser().ignoringUnknownFields().merge(line.get(key).toString(), into);
        return into;
    }

    /**
     * Makes a bot and asks it, as in the match: with the random numbers of the decision and its time. One that was
     * refused is asked first and refused then.
     *
     * @throws IllegalStateException the bot returned nothing, or an answer that names no action
     */
    public Answer ask(Function<Match, Bot> factory) {
        Match match = new Match(start);
        Bot bot = factory.apply(match);
        return refused.isEmpty() ? match.ask(bot, decision) : match.ask(bot, decision, refused.get());
    }

    /** Returns true if an answer to this decision is legal. */
    public boolean isLegal(Answer answer) {
        return Legality.isLegal(decision, answer);
    }
}
