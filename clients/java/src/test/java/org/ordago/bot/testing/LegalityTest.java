package org.ordago.bot.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;

/** The verdicts of the referee in the test vectors. */
final class LegalityTest {
    private static final Path FILE = Path.of("..", "vectors", "legality.json");

    @TestFactory
    Stream<DynamicTest> verdicts() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonElement element :
                JsonParser.parseString(Files.readString(FILE)).getAsJsonArray()) {
            JsonObject vector = element.getAsJsonObject();
            Decision decision = Decision.parseFrom(bytes(vector));
            for (JsonElement one : vector.getAsJsonArray("answers")) {
                JsonObject answer = one.getAsJsonObject();
                String name = tests.size() + " " + answer.get("answer");
                tests.add(DynamicTest.dynamicTest(name, () -> check(decision, answer)));
            }
        }
        assertTrue(tests.size() > 100);
        return tests.stream();
    }

    private static void check(Decision decision, JsonObject answer) throws IOException {
        boolean legal = answer.get("legal").getAsBoolean();
        assertEquals(legal, Legality.isLegal(decision, Answer.parseFrom(bytes(answer))));
    }

    private static byte[] bytes(JsonObject vector) {
        return Base64.getDecoder().decode(vector.get("bytes").getAsString());
    }
}
