package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;

/** What a player looks like. */
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

    public static Skin wire(Wire w, Skin m) {
        return new Skin(
                Encoding.text(w, "id", m.id),
                Encoding.text(w, "play fab id", m.playFabId),
                Encoding.text(w, "resource patch", m.resourcePatch, LARGEST_TEXT),
                Image.wire(w, m.image),
                Encoding.items(
                        w,
                        "animations",
                        m.animations,
                        w.bounded("animations", w.i32le("animations", m.animations.size()), PIECES),
                        Animation.BLANK,
                        Animation::wire),
                Image.wire(w, m.cape),
                Encoding.text(w, "geometry", m.geometry, LARGEST_TEXT),
                Encoding.text(w, "geometry version", m.geometryVersion),
                Encoding.text(w, "animation data", m.animationData, LARGEST_TEXT),
                Encoding.text(w, "cape id", m.capeId),
                Encoding.text(w, "full id", m.fullId),
                Encoding.text(w, "arm size", m.armSize),
                Encoding.text(w, "colour", m.colour),
                Encoding.items(
                        w,
                        "pieces",
                        m.pieces,
                        w.bounded("pieces", w.i32le("pieces", m.pieces.size()), PIECES),
                        Piece.BLANK,
                        Piece::wire),
                Encoding.items(
                        w,
                        "tints",
                        m.tints,
                        w.bounded("tints", w.i32le("tints", m.tints.size()), PIECES),
                        Tint.BLANK,
                        Tint::wire),
                w.bool("premium", m.premium),
                w.bool("persona", m.persona),
                w.bool("cape on classic", m.capeOnClassic),
                w.bool("primary user", m.primaryUser),
                w.bool("overriding", m.overriding));
    }

    /** The most bytes of a picture: 512 pixels each way. */
    public static final int LARGEST_IMAGE = 1 << 20;

    /** The most bytes of a geometry. */
    public static final int LARGEST_TEXT = 1 << 20;

    /** The most parts of a kind. */
    static final int PIECES = 256;

    /** A picture of four bytes a pixel: red, green, blue, opacity. */
    public record Image(int width, int height, Bytes pixels) {
        public static final Image BLANK = new Image(0, 0, Bytes.EMPTY);

        public static Image wire(Wire w, Image m) {
            return new Image(
                    w.i32le("width", m.width),
                    w.i32le("height", m.height),
                    Encoding.blob(w, "pixels", m.pixels, LARGEST_IMAGE));
        }
    }

    /** A part of a skin that moves. */
    public record Animation(Image image, int type, float frames, int expression) {
        public static final Animation BLANK = new Animation(Image.BLANK, 0, 0, 0);

        public static Animation wire(Wire w, Animation m) {
            return new Animation(
                    Image.wire(w, m.image),
                    w.i32le("type", m.type),
                    w.f32le("frames", m.frames),
                    w.i32le("expression", m.expression));
        }
    }

    /** A part of a character made of pieces. */
    public record Piece(String id, String type, String pack, boolean standard, String product) {
        public static final Piece BLANK = new Piece("", "", "", false, "");

        public static Piece wire(Wire w, Piece m) {
            return new Piece(
                    Encoding.text(w, "id", m.id),
                    Encoding.text(w, "type", m.type),
                    Encoding.text(w, "pack", m.pack),
                    w.bool("standard", m.standard),
                    Encoding.text(w, "product", m.product));
        }
    }

    /** The colours of a piece. */
    public record Tint(String type, List<String> colours) {
        public static final Tint BLANK = new Tint("", List.of());

        public static Tint wire(Wire w, Tint m) {
            return new Tint(
                    Encoding.text(w, "type", m.type),
                    Encoding.items(
                            w,
                            "colours",
                            m.colours,
                            w.bounded("colours", w.i32le("colours", m.colours.size()), PIECES),
                            "",
                            (wire, colour) -> Encoding.text(wire, "colour", colour)));
        }
    }
}
