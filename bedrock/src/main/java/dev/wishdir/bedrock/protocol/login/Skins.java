package dev.wishdir.bedrock.protocol.login;

import dev.wishdir.bedrock.message.Skin;
import dev.wishdir.wire.Bytes;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Skins of players: the client's own if it is valid, else a plain figure. */
public final class Skins {
    private static final String PATCH = "{\"geometry\":{\"default\":\"geometry.humanoid.custom\"}}";
    private static final int SIDE = 64;
    private static final int MAX_GEOMETRY_BYTES = 256 << 10;
    private static final Skin.Image PLAIN = image(0x40, 0x80, 0xC0);

    private Skins() {}

    private static Skin.Image image(int red, int green, int blue) {
        byte[] pixels = new byte[SIDE * SIDE * 4];
        for (int i = 0; i < pixels.length; i += 4) {
            pixels[i] = (byte) red;
            pixels[i + 1] = (byte) green;
            pixels[i + 2] = (byte) blue;
            pixels[i + 3] = (byte) 0xFF;
        }
        return new Skin.Image(SIDE, SIDE, Bytes.wrap(pixels));
    }

    /** Creates a plain figure with an id. */
    public static Skin plain(String id) {
        return figure(id, PLAIN);
    }

    /** Creates a figure of the standard shape. */
    public static Skin figure(String id, Skin.Image image) {
        return skin(id, PATCH, image, Skin.Image.BLANK, "", "0.0.0", "wide");
    }

    private static Skin skin(
            String id,
            String patch,
            Skin.Image image,
            Skin.Image cape,
            String geometry,
            String geometryVersion,
            String armSize) {
        return new Skin(
                id,
                "",
                patch,
                image,
                List.of(),
                cape,
                geometry,
                geometryVersion,
                "",
                "",
                id + "-full",
                armSize,
                "#0",
                List.of(),
                List.of(),
                false,
                false,
                false,
                true,
                false);
    }

    /** The skin of a client's login, or a plain one if that is not valid. */
    public static Skin of(LoginIdentity identity, String id) {
        Skin.Image image = image(identity, "Skin");
        String patch = decoded(identity, "SkinResourcePatch");
        if (image.width() == 0 || patch.isEmpty()) {
            return plain(id);
        }
        String armSize = identity.text("ArmSize", "wide");
        return skin(
                id,
                patch,
                image,
                image(identity, "Cape"),
                decoded(identity, "SkinGeometryData"),
                decoded(identity, "SkinGeometryDataEngineVersion"),
                armSize.equals("slim") ? "slim" : "wide");
    }

    /** The heap that a skin retains, bytes, without small parts. */
    public static long heap(Skin skin) {
        return (long) skin.image().pixels().length()
                + skin.cape().pixels().length()
                + skin.geometry().length()
                + skin.resourcePatch().length();
    }

    private static Skin.Image image(LoginIdentity identity, String kind) {
        int width = identity.number(kind + "ImageWidth");
        int height = identity.number(kind + "ImageHeight");
        byte[] pixels = bytes(identity.text(kind + "Data", ""), Skin.MAX_IMAGE_BYTES);
        boolean legal = isSide(width) && isSide(height) && pixels.length == width * height * 4;
        return legal ? new Skin.Image(width, height, Bytes.wrap(pixels)) : Skin.Image.BLANK;
    }

    private static boolean isSide(int pixels) {
        return pixels >= 32 && pixels <= 512 && Integer.bitCount(pixels) == 1;
    }

    private static String decoded(LoginIdentity identity, String claim) {
        byte[] bytes = bytes(identity.text(claim, ""), MAX_GEOMETRY_BYTES);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String base64, int most) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return bytes.length <= most ? bytes : new byte[0];
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /**
     * The data of a headless client about itself, with the claims of all versions: a server ignores
     * those that it does not know.
     *
     * @param game the game's version
     */
    public static Map<String, Object> clientData(String game, String name, String server) {
        Map<String, Object> data = new LinkedHashMap<>();
        byte[] pixels = PLAIN.pixels().toArray();
        data.put("SkinId", "wishdir-" + name);
        data.put("SkinData", Base64.getEncoder().encodeToString(pixels));
        data.put("SkinImageWidth", SIDE);
        data.put("SkinImageHeight", SIDE);
        data.put("SkinResourcePatch", base64(PATCH));
        data.put("SkinGeometryData", base64("null"));
        data.put("SkinGeometryDataEngineVersion", base64("0.0.0"));
        for (String empty :
                List.of(
                        "SkinAnimationData",
                        "CapeId",
                        "CapeData",
                        "PlayFabId",
                        "ThirdPartyName",
                        "PlatformOfflineId",
                        "PlatformOnlineId",
                        "SelfSignedId",
                        "PartyId",
                        "ProfileHash",
                        "Nonce",
                        "DeviceModel")) {
            data.put(empty, "");
        }
        for (String list : List.of("AnimatedImageData", "PersonaPieces", "PieceTintColors")) {
            data.put(list, List.of());
        }
        for (String no :
                List.of(
                        "CapeOnClassicSkin",
                        "PersonaSkin",
                        "PremiumSkin",
                        "OverrideSkin",
                        "IsEditorMode",
                        "ThirdPartyNameOnly",
                        "IsPartyLeader",
                        "CompatibleWithClientSideChunkGen")) {
            data.put(no, false);
        }
        data.put("TrustedSkin", true);
        data.put("CapeImageWidth", 0);
        data.put("CapeImageHeight", 0);
        data.put("ArmSize", "wide");
        data.put("SkinColor", "#0");
        data.put("DeviceOS", 7);
        data.put("DeviceId", "wishdir");
        data.put("CurrentInputMode", 1);
        data.put("DefaultInputMode", 1);
        data.put("UIProfile", 0);
        data.put("GuiScale", 0);
        data.put("GraphicsMode", 0);
        data.put("ClientRandomId", name.hashCode() & 0xFFFFFFFFL);
        data.put("LanguageCode", "en_GB");
        data.put("GameVersion", game);
        data.put("ServerAddress", server);
        data.put("MaxViewDistance", 8);
        data.put("MemoryTier", 3);
        data.put("PlatformType", 0);
        return data;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
