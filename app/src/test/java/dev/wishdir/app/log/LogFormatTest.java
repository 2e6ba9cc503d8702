package dev.wishdir.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogFormatTest {
    @Test
    @DisplayName("a line of the log for programs is one JSON object, whatever is in it")
    void writesOneJsonObjectPerLine() {
        LoggerContext context = new LoggerContext();
        LoggingEvent event =
                new LoggingEvent(
                        "", context.getLogger("wishdir"), Level.INFO, "a\n\"b\u2028", null, null);
        event.addKeyValuePair(new KeyValuePair("event", "join"));
        event.addKeyValuePair(new KeyValuePair("player", 7));
        String line = new LogFormat.JsonLayout().doLayout(event);
        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonObject json = JsonParser.parseString(line).getAsJsonObject();
        assertThat(json.get("message").getAsString()).isEqualTo("a\n\"b\u2028");
        assertThat(json.get("event").getAsString()).isEqualTo("join");
        assertThat(json.get("player").getAsInt()).isEqualTo(7);
    }
}
