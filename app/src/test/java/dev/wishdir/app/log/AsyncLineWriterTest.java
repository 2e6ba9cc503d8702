package dev.wishdir.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
final class AsyncLineWriterTest {
    /** A target that is blocked, or fails, until it is released. */
    private static final class Target implements LineSink {
        final CountDownLatch released = new CountDownLatch(1);
        final CountDownLatch called = new CountDownLatch(1);
        final StringBuilder text = new StringBuilder();
        final boolean fails;
        private int calls;

        Target(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void write(String lines) throws IOException {
            called.countDown();
            if (fails && (calls++ == 0 || released.getCount() > 0)) {
                throw new IOException("No space left on device");
            }
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            text.append(lines);
        }
    }

    private static final class Reports implements AsyncLineWriter.Listener {
        final List<String> all = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch resumed = new CountDownLatch(1);

        @Override
        public void onFailure(IOException why) {
            all.add("failed: " + why.getMessage());
        }

        @Override
        public void onResumed(long lost) {
            all.add("resumed, lost " + lost);
            resumed.countDown();
        }
    }

    @AfterEach
    void restoreLog() {
        LogAppender.writeTo(StandardError.QUEUE);
    }

    @Test
    void writesLinesInOrder() {
        Target target = new Target(false);
        target.released.countDown();
        AsyncLineWriter lines = new AsyncLineWriter(target);
        for (int i = 0; i < 1000; i++) {
            lines.accept("line " + i);
        }
        assertThat(lines.drain()).isTrue();
        assertThat(target.text.toString().lines()).hasSize(1000).startsWith("line 0", "line 1");
        lines.close();
        assertThat(lines.lost()).isZero();
    }

    @Test
    void dropsAndCountsLinesOfSlowReader() throws Exception {
        Target target = new Target(false);
        Reports reports = new Reports();
        AsyncLineWriter lines = new AsyncLineWriter(target, reports);
        for (int i = 0; i < 2 * AsyncLineWriter.MAX_LINES; i++) {
            lines.accept("line");
        }
        assertThat(lines.lost()).isEqualTo(AsyncLineWriter.MAX_LINES);
        assertThat(reports.all).isEmpty();
        target.released.countDown();
        reports.resumed.await();
        assertThat(reports.all).containsExactly("resumed, lost " + AsyncLineWriter.MAX_LINES);
        lines.close();
        assertThat(target.text.toString().lines()).hasSize(AsyncLineWriter.MAX_LINES);
    }

    @Test
    void keepsRoomForImportantLines() {
        Target target = new Target(false);
        AsyncLineWriter lines = new AsyncLineWriter(target);
        for (int i = 0; i < 2 * AsyncLineWriter.MAX_LINES; i++) {
            lines.offer("flood\n", false);
        }
        long lost = lines.lost();
        assertThat(lost).isGreaterThan(AsyncLineWriter.MAX_LINES);
        for (int i = 0; i < 1000; i++) {
            lines.accept("join");
        }
        assertThat(lines.lost()).isEqualTo(lost);
        target.released.countDown();
        lines.close();
    }

    @Test
    void boundsMemoryOfQueuedLines() {
        Target target = new Target(false);
        AsyncLineWriter lines = new AsyncLineWriter(target);
        String long1 = "x".repeat(1 << 20);
        for (int i = 0; i < 20; i++) {
            lines.accept(long1);
        }
        assertThat(lines.lost()).isEqualTo(20 - (AsyncLineWriter.MAX_CHARS >> 20) + 1);
        target.released.countDown();
        lines.close();
    }

    @Test
    @DisplayName("R14: a full disk is reported once, loses no line that can wait, and its end too")
    void holdsLinesWhileTheyCannotBeWritten() throws Exception {
        Target target = new Target(true);
        Reports reports = new Reports();
        AsyncLineWriter lines = new AsyncLineWriter(target, reports);
        lines.accept("one");
        target.called.await();
        lines.accept("two");
        target.released.countDown();
        reports.resumed.await();
        lines.close();
        assertThat(target.text).hasToString("one\ntwo\n");
        assertThat(reports.all)
                .containsExactly("failed: No space left on device", "resumed, lost 0");
    }

    @Test
    void countsUnwrittenLinesOnClose() throws Exception {
        Target target = new Target(true);
        AsyncLineWriter lines = new AsyncLineWriter(target);
        lines.accept("one");
        target.called.await();
        lines.accept("two");
        lines.close();
        assertThat(lines.lost()).isEqualTo(2);
    }

    @Test
    @DisplayName("R14: a full disk is reported once also where a close tries several batches")
    void reportsFailureOnceOnClose() throws Exception {
        Target target = new Target(true);
        Reports reports = new Reports();
        AsyncLineWriter lines = new AsyncLineWriter(target, reports);
        lines.accept("one");
        target.called.await();
        for (int i = 0; i < 20; i++) {
            lines.accept("x".repeat(1 << 16));
        }
        lines.close();
        assertThat(lines.lost()).isEqualTo(21);
        assertThat(reports.all).containsExactly("failed: No space left on device");
    }

    @Test
    @DisplayName("R7: a log without a reader blocks no thread, and says what was lost")
    void logsWithoutBlocking() {
        Target target = new Target(false);
        AsyncLineWriter lines =
                new AsyncLineWriter(
                        target,
                        new AsyncLineWriter.Listener() {
                            @Override
                            public void onFailure(IOException why) {}

                            @Override
                            public void onResumed(long lost) {
                                LostLines.report(lost);
                            }
                        });
        LogAppender.writeTo(lines);
        for (int i = 0; i < 2 * AsyncLineWriter.MAX_LINES; i++) {
            LoggerFactory.getLogger("test").info("line {}", i);
        }
        assertThat(LogAppender.lost()).isEqualTo(AsyncLineWriter.MAX_LINES);
        target.released.countDown();
        lines.drain();
        lines.close();
        assertThat(target.text.toString())
                .contains(
                        "lines of the log were lost because their reader was too slow: "
                                + AsyncLineWriter.MAX_LINES);
    }
}
