package dev.wishdir.quake3.netchan;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

/**
 * Adaptive Huffman compression of {@code connect}: docs/protocols/quake3.md#compressed-connect.
 * Each byte is written as its present code, or as the code of "not yet transmitted" and its eight
 * bits; then the tree is updated.
 */
public final class AdaptiveHuffman {
    /** Bytes of the plain length, high byte first, which precedes the compressed bits. */
    private static final int PREFIX = 2;

    /** A node; leaves have a symbol. Nodes are also linked by rank, in order of weight. */
    private static final class Node {
        final int symbol;
        int weight;
        @Nullable Node parent;
        @Nullable Node left;
        @Nullable Node right;
        @Nullable Node lower;
        @Nullable Node higher;

        /** The highest-ranked node of this node's weight, shared by all of that weight. */
        Block block;

        Node(int symbol, int weight, Block block) {
            this.symbol = symbol;
            this.weight = weight;
            this.block = block;
        }
    }

    private static final class Block {
        @Nullable Node leader;
    }

    private static final int INNER = -1;
    private static final int NOT_YET = 256;

    private final @Nullable Node[] leaves = new Node[256];
    private final Node notYet = new Node(NOT_YET, 0, new Block());
    private Node root = notYet;

    AdaptiveHuffman() {
        notYet.block.leader = notYet;
    }

    /**
     * Compresses bytes.
     *
     * @throws IllegalArgumentException if there are more than 65535
     */
    public static Bytes compress(Bytes plain) {
        if (plain.length() > 0xFFFF) {
            throw new IllegalArgumentException(plain.length() + " bytes to compress, limit 65535");
        }
        AdaptiveHuffman tree = new AdaptiveHuffman();
        Bits out = new Bits(new byte[PREFIX + plain.length() * 34 + 1], PREFIX * 8);
        out.data[0] = (byte) (plain.length() >> 8);
        out.data[1] = (byte) plain.length();
        for (int i = 0; i < plain.length(); i++) {
            int symbol = plain.get(i) & 0xFF;
            Node leaf = tree.leaves[symbol];
            if (leaf != null) {
                put(out, leaf);
            } else {
                put(out, tree.notYet);
                for (int bit = 7; bit >= 0; bit--) {
                    out.put(symbol >> bit & 1);
                }
            }
            tree.add(symbol);
        }
        return Bytes.copyOf(out.data, 0, (out.at >> 3) + 1);
    }

    /**
     * Decompresses bytes.
     *
     * @param max limit of plain bytes
     * @throws MalformedPacketException if they are truncated or hold more than {@code max}
     */
    public static Bytes decompress(Bytes compressed, int max) {
        if (compressed.length() < PREFIX) {
            throw new MalformedPacketException(0, "length", "needs 2 bytes");
        }
        int length = (compressed.get(0) & 0xFF) << 8 | compressed.get(1) & 0xFF;
        if (length > max) {
            throw new MalformedPacketException(0, "length", "is " + length + ", must be 0.." + max);
        }
        AdaptiveHuffman tree = new AdaptiveHuffman();
        Bits in = new Bits(compressed.toArray(), PREFIX * 8);
        byte[] plain = new byte[length];
        for (int i = 0; i < length; i++) {
            Node node = tree.root;
            while (node.symbol == INNER) {
                node = in.get() == 0 ? present(node.left) : present(node.right);
            }
            int symbol = node.symbol;
            if (symbol == NOT_YET) {
                symbol = 0;
                for (int bit = 0; bit < 8; bit++) {
                    symbol = symbol << 1 | in.get();
                }
            }
            plain[i] = (byte) symbol;
            tree.add(symbol);
        }
        return Bytes.wrap(plain);
    }

    /** A position in an array of bits, low bit first. */
    private static final class Bits {
        final byte[] data;
        int at;

        Bits(byte[] data, int at) {
            this.data = data;
            this.at = at;
        }

        void put(int bit) {
            data[at >> 3] |= (byte) (bit << (at & 7));
            at++;
        }

        int get() {
            if (at >= data.length * 8) {
                throw new MalformedPacketException(data.length, "text", "ends early");
            }
            int bit = data[at >> 3] >> (at & 7) & 1;
            at++;
            return bit;
        }
    }

    private static Node present(@Nullable Node node) {
        if (node == null) {
            throw new IllegalStateException("inner node without a child");
        }
        return node;
    }

    private static void put(Bits out, Node node) {
        Node parent = node.parent;
        if (parent != null) {
            put(out, parent);
            out.put(parent.right == node ? 1 : 0);
        }
    }

    /** The code of a symbol from the root, as {@code 0} and {@code 1}. */
    String code(int symbol) {
        StringBuilder code = new StringBuilder();
        Node node = symbol == NOT_YET ? notYet : present(leaves[symbol]);
        for (Node parent = node.parent; parent != null; node = parent, parent = node.parent) {
            code.append(parent.right == node ? '1' : '0');
        }
        return code.reverse().toString();
    }

    void add(int symbol) {
        Node leaf = leaves[symbol];
        if (leaf != null) {
            increment(leaf);
            return;
        }
        // Both new nodes weigh 1 and enter the ranks just above the lowest, which weighs 0.
        Node above = notYet.higher;
        Block block = above != null && above.weight == 1 ? above.block : new Block();
        Node inner = new Node(INNER, 1, block);
        Node newLeaf = new Node(symbol, 1, block);
        if (block.leader == null) {
            block.leader = inner;
        }
        link(notYet, newLeaf);
        link(newLeaf, inner);
        if (above != null) {
            link(inner, above);
        }
        replace(notYet, inner);
        inner.left = notYet;
        inner.right = newLeaf;
        notYet.parent = inner;
        newLeaf.parent = inner;
        leaves[symbol] = newLeaf;
        Node parent = inner.parent;
        if (parent != null) {
            increment(parent);
        }
    }

    private void increment(Node node) {
        Node higher = node.higher;
        if (higher != null && higher.weight == node.weight) {
            Node leader = present(node.block.leader);
            if (leader != node.parent) {
                exchangePlaces(leader, node);
            }
            exchangeRanks(leader, node);
        }
        Node lower = node.lower;
        node.block.leader = lower != null && lower.weight == node.weight ? lower : null;
        node.weight++;
        higher = node.higher;
        if (higher != null && higher.weight == node.weight) {
            node.block = higher.block;
        } else {
            node.block = new Block();
            node.block.leader = node;
        }
        Node parent = node.parent;
        if (parent != null) {
            increment(parent);
            if (node.lower == parent) {
                exchangeRanks(node, parent);
                if (node.block.leader == node) {
                    node.block.leader = parent;
                }
            }
        }
    }

    private static void link(Node lower, Node higher) {
        lower.higher = higher;
        higher.lower = lower;
    }

    /** Puts {@code by} into the place of {@code node} under its parent. */
    private void replace(Node node, Node by) {
        Node parent = node.parent;
        by.parent = parent;
        if (parent == null) {
            root = by;
        } else if (parent.left == node) {
            parent.left = by;
        } else {
            parent.right = by;
        }
    }

    private void exchangePlaces(Node a, Node b) {
        Node parentA = a.parent;
        Node parentB = b.parent;
        boolean leftA = parentA != null && parentA.left == a;
        boolean leftB = parentB != null && parentB.left == b;
        place(b, parentA, leftA);
        place(a, parentB, leftB);
    }

    private void place(Node node, @Nullable Node parent, boolean left) {
        node.parent = parent;
        if (parent == null) {
            root = node;
        } else if (left) {
            parent.left = node;
        } else {
            parent.right = node;
        }
    }

    private static void exchangeRanks(Node a, Node b) {
        Node lowerA = a.lower;
        Node higherA = a.higher;
        Node lowerB = b.lower;
        Node higherB = b.higher;
        a.lower = lowerB == a ? b : lowerB;
        a.higher = higherB == a ? b : higherB;
        b.lower = lowerA == b ? a : lowerA;
        b.higher = higherA == b ? a : higherA;
        attach(a);
        attach(b);
    }

    private static void attach(Node node) {
        if (node.lower != null) {
            node.lower.higher = node;
        }
        if (node.higher != null) {
            node.higher.lower = node;
        }
    }
}
