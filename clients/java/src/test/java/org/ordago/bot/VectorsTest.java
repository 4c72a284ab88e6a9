package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The test vectors of all SDKs: addresses, token files and switches. */
final class VectorsTest {
    private static final Path FOLDER = Path.of("..", "vectors");

    private static Stream<DynamicTest> each(String file, String given, Function<String, JsonObject> parse)
            throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        return StreamSupport.stream(
                        JsonParser.parseString(text).getAsJsonArray().spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .map(vector ->
                        DynamicTest.dynamicTest(vector.get(given).toString(), () -> check(vector, given, parse)));
    }

    private static void check(JsonObject vector, String given, Function<String, JsonObject> parse) {
        String text = vector.get(given).getAsString();
        if (vector.has("because")) {
            Exception refused = assertThrows(IllegalArgumentException.class, () -> parse.apply(text));
            assertEquals(vector.get("because").getAsString(), refused.getMessage());
        } else {
            JsonObject read = parse.apply(text);
            read.addProperty(given, text);
            assertEquals(vector, read);
        }
    }

    @TestFactory
    Stream<DynamicTest> addresses() throws IOException {
        return each("addresses.json", "address", text -> {
            Address address = Address.parse(text);
            JsonObject read = new JsonObject();
            if (address.isUnix()) {
                read.addProperty("path", address.path());
            } else {
                read.addProperty("host", address.host());
                read.addProperty("port", address.port());
            }
            return read;
        });
    }

    @TestFactory
    Stream<DynamicTest> tokenFiles() throws IOException {
        return each("token-files.json", "bytes", text -> {
            JsonObject read = new JsonObject();
            read.addProperty("token", TokenFile.parse(Base64.getDecoder().decode(text)));
            return read;
        });
    }

    @TestFactory
    Stream<DynamicTest> switches() throws IOException {
        return each("switches.json", "text", text -> {
            JsonObject read = new JsonObject();
            read.addProperty("on", CommandLine.parseSwitch(text));
            return read;
        });
    }
}
