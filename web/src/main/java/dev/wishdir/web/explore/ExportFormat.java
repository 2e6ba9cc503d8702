package dev.wishdir.web.explore;

import com.google.gson.Gson;

import dev.wishdir.inspect.capture.PcapWriter;
import dev.wishdir.wire.CsvText;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The formats in which an {@link Explorer} exports lines. */
enum ExportFormat {
    /** The datagrams that have at least one of the lines, each once. */
    PCAP("application/vnd.tcpdump.pcap") {
        @Override
        void write(MessageIndex index, FoundRows found, OutputStream out) throws IOException {
            PcapWriter capture = new PcapWriter(out);
            index.writeDatagrams(found, capture);
            capture.flush();
        }
    },
    /** The lines as {@code inspect --json} prints them. */
    JSONL("application/x-ndjson") {
        @Override
        void write(MessageIndex index, FoundRows found, OutputStream out) throws IOException {
            List<String> files = index.files();
            Gson gson = new Gson();
            Writer text = text(out);
            index.forEach(
                    found,
                    (row, fields, line) -> {
                        String plain = withoutTrace(line, fields);
                        if (files.size() > 1) {
                            text.write("{\"file\":" + gson.toJson(files.get(row.file())) + ",");
                            text.write(plain, 1, plain.length() - 1);
                        } else {
                            text.write(plain);
                        }
                        text.write('\n');
                    });
            text.flush();
        }
    },
    /** A table (RFC 4180) whose first line has the names of the columns. */
    CSV("text/csv; charset=utf-8") {
        @Override
        void write(MessageIndex index, FoundRows found, OutputStream out) throws IOException {
            List<String> files = index.files();
            Writer text = text(out);
            text.write("file,frame,time,dir,client,game,layer,name,fields\r\n");
            index.forEach(
                    found,
                    (row, fields, line) -> {
                        Matcher head = HEAD.matcher(line);
                        boolean hasTime = head.lookingAt() && head.group(1) != null;
                        List<String> cells =
                                List.of(
                                        CsvText.text(files.get(row.file())),
                                        Long.toString(row.frame()),
                                        hasTime ? head.group(1) : "",
                                        row.dir(),
                                        Integer.toString(row.client()),
                                        row.game(),
                                        row.layer(),
                                        CsvText.text(row.name()),
                                        CsvText.quoted(fields));
                        text.write(String.join(",", cells) + "\r\n");
                    });
            text.flush();
        }
    };

    /** The beginning of a line, with its time if it has one. */
    private static final Pattern HEAD = Pattern.compile("\\{\"frame\":\\d+(?:,\"time\":([^,]+))?,");

    private static final String FIELDS = ",\"fields\":";

    private final String contentType;

    ExportFormat(String contentType) {
        this.contentType = contentType;
    }

    /** Writes lines, or their datagrams. */
    abstract void write(MessageIndex index, FoundRows found, OutputStream out) throws IOException;

    String contentType() {
        return contentType;
    }

    /** The extension of a file: {@code pcap}. */
    String extension() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ExportFormat> of(String extension) {
        return Arrays.stream(values()).filter(it -> it.extension().equals(extension)).findAny();
    }

    private static Writer text(OutputStream out) {
        return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** A line as {@code inspect --json} prints it, made from that of {@code --explain}. */
    private static String withoutTrace(String line, String fields) {
        int start = line.indexOf(FIELDS) + FIELDS.length() + fields.length();
        int trace = line.indexOf(",\"trace\":[", start);
        return trace < 0 ? line : line.substring(0, trace) + "}";
    }
}
