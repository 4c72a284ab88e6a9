package org.ordago.bot.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ordago.bot.Answers;
import org.ordago.bot.Bot;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Refused;

final class LoggedDecisionTest {
    private static final Path FILE = Path.of("..", "vectors", "decisions.jsonl");

    @Test
    void aFileGivesBackWhatIsThere() throws IOException {
        List<LoggedDecision> decisions = LoggedDecision.load(FILE);
        List<String> lines = Files.readAllLines(FILE);
        assertEquals(lines.size(), decisions.size());
        for (int place = 0; place < lines.size(); place++) {
            JsonObject line = JsonParser.parseString(lines.get(place)).getAsJsonObject();
            LoggedDecision read = decisions.get(place);
            assertEquals(line.get("start"), json(read.start()));
            assertEquals(line.get("decision"), json(read.decision()));
            assertEquals(line.get("answer"), json(read.answer().orElseThrow()));
            assertEquals(line.get("milliseconds").getAsLong(), read.milliseconds());
            assertTrue(read.isLegal(read.answer().orElseThrow()), read.start()::getGame);
        }
    }

    private static JsonElement json(Message message) throws IOException {
        return JsonParser.parseString(JsonFormat.printer().print(message));
    }

    @Test
    void aBotIsAskedAsInTheMatch() throws IOException {
        for (LoggedDecision decision : LoggedDecision.load(FILE)) {
            Answer answer = decision.ask(match -> asked -> Answers.any(asked, match.random()));
            assertTrue(decision.isLegal(answer), decision.start()::getGame);
            assertEquals(answer, decision.ask(match -> asked -> Answers.any(asked, match.random())));
            assertFalse(
                    decision.isLegal(Answer.newBuilder().setLegalAction(9_999).build()));
        }
    }

    @Test
    void afterARefusalTheBotIsAskedAgain(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("decisions.jsonl");
        Files.writeString(file, """
                {"start":{},"decision":{"new":1},"refused":{"rule":"trump"},"milliseconds":3,"error":"no"}
                """);
        LoggedDecision read = LoggedDecision.load(file).get(0);
        assertEquals("trump", read.refused().orElseThrow().getRule());
        assertEquals("no", read.error().orElseThrow());
        Answer answer = Answer.newBuilder().setLegalAction(4).build();
        List<String> calls = new ArrayList<>();
        assertEquals(answer, read.ask(match -> new Bot() {
            @Override
            public Answer choose(Decision decision) {
                calls.add("choose");
                return decision.getDefaultAnswer();
            }

            @Override
            public Answer refused(Decision decision, Refused refusal) {
                calls.add("refused");
                return answer;
            }
        }));
        assertEquals(List.of("choose", "refused"), calls);
    }

    @Test
    void aLineThatIsNoneIsNamed(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("decisions.jsonl"), "{\"start\":{}}\n");
        String said =
                assertThrows(IOException.class, () -> LoggedDecision.load(file)).getMessage();
        assertTrue(said.startsWith(file + ", line 1: "), said);
    }
}
