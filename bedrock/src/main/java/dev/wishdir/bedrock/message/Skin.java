package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;

/** The skin of a player. */
public record Skin(
        String id,
        String playFabId,
        String resourcePatch,
        Image image,
        List<Animation> animations,
        Image cape,
        String geometry,
        String geometryVersion,
        String animationData,
        String capeId,
        String fullId,
        String armSize,
        String colour,
        List<Piece> pieces,
        List<Tint> tints,
        boolean premium,
        boolean persona,
        boolean capeOnClassic,
        boolean primaryUser,
        boolean overriding) {
    public static final Skin BLANK =
            new Skin(
                    "",
                    "",
                    "",
                    Image.BLANK,
                    List.of(),
                    Image.BLANK,
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                    "",
                    List.of(),
                    List.of(),
                    false,
                    false,
                    false,
                    false,
                    false);

    static Skin wire(Wire w, Skin m, Dialect d) {
        boolean recoded = d.has(ProtocolChange.SKIN_RECODED);
        return new Skin(
                Encoding.text(w, "id", m.id),
                Encoding.text(w, "play fab id", m.playFabId),
                Encoding.text(w, "resource patch", m.resourcePatch, MAX_GEOMETRY_BYTES),
                Image.wire(w, m.image),
                parts(w, "animations", m.animations, Animation.BLANK, Animation::wire, d),
                Image.wire(w, m.cape),
                Encoding.text(w, "geometry", m.geometry, MAX_GEOMETRY_BYTES),
                Encoding.text(w, "geometry version", m.geometryVersion),
                Encoding.text(w, "animation data", m.animationData, MAX_GEOMETRY_BYTES),
                Encoding.text(w, "cape id", m.capeId),
                Encoding.text(w, "full id", m.fullId),
                recoded ? armSize(w, m.armSize) : Encoding.text(w, "arm size", m.armSize),
                recoded
                        ? Encoding.colourText(w, "colour", m.colour)
                        : Encoding.text(w, "colour", m.colour),
                parts(w, "pieces", m.pieces, Piece.BLANK, Piece::wire, d),
                parts(w, "tints", m.tints, Tint.BLANK, Tint::wire, d),
                w.bool("premium", m.premium),
                w.bool("persona", m.persona),
                w.bool("cape on classic", m.capeOnClassic),
                w.bool("primary user", m.primaryUser),
                w.bool("overriding", m.overriding));
    }

    private static String armSize(Wire w, String size) {
        boolean slim = size.equals("slim");
        return w.bounded("arm size", w.u8("arm size", slim ? 0 : 1), 1) == 0 ? "slim" : "wide";
    }

    @FunctionalInterface
    private interface Part<T> {
        T wire(Wire w, T m, Dialect d);
    }

    private static <T> List<T> parts(
            Wire w, String name, List<T> parts, T blank, Part<T> walk, Dialect d) {
        return Encoding.items(
                w,
                name,
                parts,
                w.bounded(name, number(w, name, parts.size(), d), MAX_PIECES),
                blank,
                (wire, part) -> walk.wire(wire, part, d));
    }

    private static int number(Wire w, String name, int value, Dialect d) {
        return d.has(ProtocolChange.SKIN_RECODED)
                ? Encoding.uvarint(w, name, value)
                : w.i32le(name, value);
    }

    /** Maximum size of an image, bytes: 512 pixels each way. */
    public static final int MAX_IMAGE_BYTES = 1 << 20;

    /** Maximum size of a geometry, bytes. */
    public static final int MAX_GEOMETRY_BYTES = 1 << 20;

    /** Maximum number of parts of one kind. */
    static final int MAX_PIECES = 256;

    /** An image of four bytes a pixel: red, green, blue, opacity. */
    public record Image(int width, int height, Bytes pixels) {
        public static final Image BLANK = new Image(0, 0, Bytes.EMPTY);

        public static Image wire(Wire w, Image m) {
            return new Image(
                    w.i32le("width", m.width),
                    w.i32le("height", m.height),
                    Encoding.blob(w, "pixels", m.pixels, MAX_IMAGE_BYTES));
        }
    }

    /** An animated part of a skin. */
    public record Animation(Image image, int type, float frames, int expression) {
        public static final Animation BLANK = new Animation(Image.BLANK, 0, 0, 0);

        static Animation wire(Wire w, Animation m, Dialect d) {
            return new Animation(
                    Image.wire(w, m.image),
                    number(w, "type", m.type, d),
                    w.f32le("frames", m.frames),
                    number(w, "expression", m.expression, d));
        }
    }

    /**
     * A piece of a character.
     *
     * @param type its kind by name in older versions
     * @param kind its kind by number in newer ones
     */
    public record Piece(
            String id, String type, int kind, String pack, boolean standard, String product) {
        public static final Piece BLANK = new Piece("", "", 0, "", false, "");

        static Piece wire(Wire w, Piece m, Dialect d) {
            boolean recoded = d.has(ProtocolChange.SKIN_RECODED);
            return new Piece(
                    Encoding.text(w, "id", m.id),
                    recoded ? "" : Encoding.text(w, "type", m.type),
                    recoded ? w.i32le("type", m.kind) : 0,
                    recoded
                            ? Encoding.uuidText(w, "pack", m.pack)
                            : Encoding.text(w, "pack", m.pack),
                    w.bool("standard", m.standard),
                    Encoding.text(w, "product", m.product));
        }
    }

    /** The colours of a piece; newer versions have exactly four. */
    public record Tint(String type, List<String> colours) {
        public static final Tint BLANK = new Tint("", List.of());

        private static final int COLOURS = 4;
        private static final String NONE = "#00000000";

        static Tint wire(Wire w, Tint m, Dialect d) {
            boolean recoded = d.has(ProtocolChange.SKIN_RECODED);
            return new Tint(
                    Encoding.text(w, "type", m.type),
                    recoded
                            ? Encoding.items(
                                    w,
                                    "colours",
                                    m.colours,
                                    COLOURS,
                                    NONE,
                                    (wire, colour) -> Encoding.colourText(wire, "colour", colour))
                            : Encoding.items(
                                    w,
                                    "colours",
                                    m.colours,
                                    w.bounded(
                                            "colours",
                                            w.i32le("colours", m.colours.size()),
                                            MAX_PIECES),
                                    "",
                                    (wire, colour) -> Encoding.text(wire, "colour", colour)));
        }
    }
}
