package dev.wishdir.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads a message of bit fields and records the name, position and meaning of each field. The raw
 * bits and the Huffman codes of a field follow it as its parts, named {@code raw} and {@code
 * huffman}: all codes of a text or a number together, as one each would be a line a letter.
 */
public final class BitTracer extends BitReader {
    private final List<Traced> fields = new ArrayList<>();
    private final List<Traced> steps = new ArrayList<>();
    private final StringBuilder symbols = new StringBuilder();
    private int codesFrom;
    private int codesTo;
    private final List<String> structures = new ArrayList<>();
    private String name = "";
    private int begun;
    private int depth;
    private int last = -1;

    /** Traces all of {@code data}. */
    public BitTracer(HuffmanCode code, byte[] data) {
        super(code, data);
    }

    /** Traces {@code bits} bits of {@code data} from byte {@code offset}. */
    public BitTracer(HuffmanCode code, byte[] data, int offset, int bits) {
        super(code, data, offset, bits);
    }

    /** The fields so far, in wire order; the parts of a field follow it. */
    public List<Traced> fields() {
        return List.copyOf(fields);
    }

    @Override
    public boolean tracing() {
        return true;
    }

    @Override
    public void begin(String name) {
        if (depth++ == 0) {
            this.name = name;
            begun = position();
        }
    }

    @Override
    public void end(Object value) {
        if (--depth == 0) {
            add(name, begun, String.valueOf(value));
        }
    }

    @Override
    public void pushScope(String name) {
        structures.add(name);
    }

    @Override
    public void pushScope(String name, int number) {
        pushScope(name + number);
    }

    @Override
    public void popScope() {
        structures.removeLast();
    }

    @Override
    public void annotate(String meaning) {
        if (depth == 0 && last >= 0) {
            fields.set(last, fields.get(last).withMeaning(meaning));
        }
    }

    private void add(String name, int from, String meaning) {
        String path = structures.isEmpty() ? name : String.join(".", structures) + "." + name;
        last = fields.size();
        fields.add(field(path, from, position(), meaning, false));
        addCodes();
        fields.addAll(steps);
        steps.clear();
    }

    /** Ends the part of the codes since the last raw bits. */
    private void addCodes() {
        if (!symbols.isEmpty()) {
            String bytes = symbols.length() == " 00".length() ? "byte" : "bytes";
            steps.add(field("huffman", codesFrom, codesTo, bytes + symbols, true));
            symbols.setLength(0);
        }
    }

    private Traced field(String name, int from, int to, String meaning, boolean part) {
        return new Traced(name, from, to - from, binary(from, to), meaning, part);
    }

    @Override
    public int bits(String name, int value, int width) {
        int from = position();
        int read = super.bits(name, value, width);
        int rawBits = width & 7;
        if (rawBits > 0 && width > rawBits) {
            int low = read & (1 << rawBits) - 1;
            addCodes();
            steps.add(field("raw", from, from + rawBits, Integer.toString(low), true));
        }
        int at = from + rawBits;
        for (int shift = rawBits; shift < width; shift += 8) {
            if (symbols.isEmpty()) {
                codesFrom = at;
            }
            symbols.append(String.format(Locale.ROOT, " %02x", read >>> shift & 0xFF));
            at += codeLength(at);
            codesTo = at;
        }
        saw(name, from, read);
        return read;
    }

    @Override
    public int raw(String name, int value, int width) {
        int from = position();
        int read = super.raw(name, value, width);
        saw(name, from, read);
        return read;
    }

    private void saw(String name, int from, int value) {
        if (depth == 0) {
            add(name, from, Integer.toString(value));
        }
    }
}
