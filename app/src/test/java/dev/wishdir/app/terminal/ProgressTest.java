package dev.wishdir.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;

final class ProgressTest {
    private static final String EMPTY = "\r\u001B[K";

    private final StringWriter text = new StringWriter();
    private final AtomicLong clock = new AtomicLong();

    private String shown(boolean shown) {
        try (Progress progress =
                new Progress(new PrintWriter(text), Terminal.NONE, shown, clock::get)) {
            progress.update("a.pcap", 1, 100);
            clock.addAndGet(300_000_000);
            progress.update("a.pcap", 50, 100);
            progress.update("a.pcap", 51, 100);
            clock.addAndGet(300_000_000);
            progress.update("b", 7_000_000, 0);
        }
        return text.toString();
    }

    @Test
    void updatesOneLineAndRemovesIt() {
        assertThat(shown(true)).isEqualTo(EMPTY + "a.pcap: 50 %" + EMPTY + "b: 7.0 MB" + EMPTY);
    }

    @Test
    void writesNothingWithoutReader() {
        assertThat(shown(false)).isEmpty();
    }
}
