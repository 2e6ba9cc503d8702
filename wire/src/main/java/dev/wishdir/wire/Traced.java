package dev.wishdir.wire;

/**
 * One field of a packet as a tracer saw it.
 *
 * @param name the field's name, with the structures that it lies in: {@code hits.0.target}
 * @param bit bits from the start of the packet to the field
 * @param bits the field's length in bits
 * @param raw the bytes as lower-case hex; of a part, its value; of a field of a bit wire, its bits
 *     in wire order
 * @param meaning what it says: the value, with its unit or name where it has one
 * @param part true for some bits of the field before it, which covers them already
 */
public record Traced(String name, int bit, int bits, String raw, String meaning, boolean part) {
    Traced withMeaning(String text) {
        return new Traced(name, bit, bits, raw, text, part);
    }
}
