package dev.wishdir.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
final class LineQueueTest {
    @Test
    void linesAreWrittenInOrder() {
        StringWriter text = new StringWriter();
        LineQueue lines = new LineQueue(new PrintWriter(text));
        for (int i = 0; i < 1000; i++) {
            lines.accept("line " + i);
        }
        lines.close();

        assertThat(text.toString().lines()).hasSize(1000).startsWith("line 0", "line 1");
        assertThat(lines.lost()).isZero();
    }

    @Test
    void aSlowReaderLosesLinesAndHoldsNobodyUp() {
        CountDownLatch released = new CountDownLatch(1);
        Writer stuck =
                new Writer() {
                    @Override
                    public void write(char[] text, int from, int length) {
                        try {
                            released.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        LineQueue lines = new LineQueue(new PrintWriter(stuck));
        for (int i = 0; i < 2 * LineQueue.CAPACITY; i++) {
            lines.accept("line");
        }
        assertThat(lines.lost()).isBetween(LineQueue.CAPACITY - 1L, (long) LineQueue.CAPACITY);
        lines.close();
        released.countDown();

        assertThat(lines.lost()).isGreaterThan(2L * LineQueue.CAPACITY - 3);
    }
}
