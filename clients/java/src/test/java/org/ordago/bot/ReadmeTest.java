package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the README are compiled together, as classes of one project. */
final class ReadmeTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern NAME = Pattern.compile("final class (\\w+)|public record (\\w+)");

    @Test
    void theExamplesCompile(@TempDir Path folder) throws IOException {
        List<String> words = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-proc:none", "-d", folder.toString()));
        List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("README.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertTrue(examples.size() > 2);
        for (String example : examples) {
            words.add(Files.writeString(folder.resolve(name(example) + ".java"), example)
                    .toString());
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, words.toArray(String[]::new)));
    }

    private static String name(String example) {
        Matcher matcher = NAME.matcher(example);
        assertTrue(matcher.find(), example);
        MatchResult found = matcher.toMatchResult();
        return found.group(1) == null ? found.group(2) : found.group(1);
    }
}
