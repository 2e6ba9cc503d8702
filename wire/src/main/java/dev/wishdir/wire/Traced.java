package dev.wishdir.wire;

/**
 * One field of a packet, recorded by a tracer.
 *
 * @param name the field's name, prefixed with its enclosing structures: {@code hits.0.target}
 * @param bit bits from the start of the packet to the field
 * @param bits the field's length in bits
 * @param raw the bytes as lower-case hex; of a part, its value; of a field of a bit wire, its bits
 *     in wire order
 * @param meaning the value, with its unit or name where it has one
 * @param part true for bits that a preceding field covers already
 */
public record Traced(String name, int bit, int bits, String raw, String meaning, boolean part) {
    Traced withMeaning(String text) {
        return new Traced(name, bit, bits, raw, text, part);
    }
}
