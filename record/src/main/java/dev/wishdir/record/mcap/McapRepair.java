package dev.wishdir.record.mcap;

import dev.wishdir.record.mcap.McapException.Reason;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Closes files that were cut, by a crash or a full disk. */
public final class McapRepair {
    private McapRepair() {}

    /**
     * Cuts off what is torn or damaged at the end of a file and appends the summary that a scan
     * gives. Each chunk is decompressed; damaged ones between others, and those that exceed {@link
     * McapLimits} or have another compression than zstd, stay in the file, but not in the summary.
     * A complete file is not touched.
     *
     * @throws IOException if another process writes the file
     * @throws McapException if the file does not begin as MCAP does, has messages outside of
     *     chunks, no chunk that is supported, or too much damage; it is not touched then
     */
    public static RepairResult repair(Path file) throws IOException {
        try (InputFile input = InputFile.open(file)) {
            McapReader.requireMagic(input);
            Summary whole = completeSummary(input);
            if (whole != null) {
                return new RepairResult(true, input.size(), 0, whole.statistics(), List.of());
            }
            try (OutputFile output = OutputFile.open(file)) {
                return repair(input, output);
            }
        }
    }

    private static @Nullable Summary completeSummary(InputFile input) throws IOException {
        try {
            return SummaryReader.read(input);
        } catch (McapException e) {
            return null;
        }
    }

    private static RepairResult repair(InputFile input, OutputFile output) throws IOException {
        long size = input.size();
        Summary summary = new Summary();
        DamageLog damage = new DamageLog();
        RecordScanner scanner = new RecordScanner(input, summary, damage, true);
        scanner.scan();
        for (Damage each : damage.all()) {
            if (each.reason() == Reason.UNCHUNKED
                    || (summary.chunks().isEmpty() && RecordScanner.isUnsupported(each.reason()))) {
                throw new McapException(
                        each.reason(),
                        each.offset(),
                        "record",
                        "is not supported, so the file is left as it is");
            }
        }
        if (scanner.isExhausted()) {
            throw new McapException(
                    Reason.LENGTH,
                    scanner.position(),
                    "file",
                    "has too much damage, so it is left as it is");
        }
        long end = scanner.goodEnd();
        ChunkHead unindexed = scanner.unindexed();
        scanner.removeUnindexed();
        if (input.size() != size) {
            throw new IOException("another program writes it");
        }
        try (McapWriter writer = McapWriter.resume(output, summary, end)) {
            if (end == Magic.LENGTH) {
                writer.writeHeader("", "");
            }
            if (unindexed != null) {
                ChunkContents contents = new ChunkContents();
                contents.load(input, unindexed, 0, Long.MAX_VALUE, null, (_, _, _) -> {});
                writer.writeIndexes(unindexed, Chunk.of(contents));
            }
        }
        if (SummaryReader.read(input) == null) {
            throw new IOException("what was written is not there: another program writes it");
        }
        return new RepairResult(
                false,
                end,
                size - end,
                summary.statistics(),
                damage.all().stream().filter(each -> each.offset() < end).toList());
    }
}
