package org.ordago.bot;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ordago.bot.Calls.Outcome;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.LegalAction;

/** Decisions in a file, a line of JSON each time that a bot was asked: docs/bot-process.md. */
final class DecisionLog {
    private final Appended file;
    private final Log log;
    private boolean hasFailed;

    /**
     * Prepares to write.
     *
     * @param file the file; null: nothing is written
     * @param log takes a warning if a line cannot be written
     */
    DecisionLog(Appended file, Log log) {
        this.file = file;
        this.log = log;
        if (file != null) {
            // The classes for JSON take up to half a second to load, which the first decision would pay.
            Json.text(Decision.newBuilder()
                    .addActions(LegalAction.getDefaultInstance())
                    .build());
        }
    }

    /** Writes a line about an answer; null: none is sent, since the bot failed and its process ends. */
    void write(Outcome asked, Answer answer) {
        if (file == null || asked.question() == null || !asked.hasBot()) {
            return;
        }
        try {
            file.append(line(asked, answer));
        } catch (IOException error) {
            if (!hasFailed) {
                log.note(
                        Level.WARNING, "decisions cannot be written to " + file.path() + ": " + Contents.reason(error));
            }
            hasFailed = true;
        }
    }

    private static String line(Outcome asked, Answer answer) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("start", asked.seat().match().start());
        line.put("decision", asked.question().decision());
        if (asked.question().refused() != null) {
            line.put("refused", asked.question().refused());
        }
        if (answer != null) {
            line.put("answer", answer);
        }
        line.put("milliseconds", asked.ms());
        if (asked.failure() != null) {
            line.put("error", PlayerLog.message(asked.failure()));
        }
        return Json.text(line);
    }
}
