package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.UUID;

/** Resource packs, and how both sides agree that there are none. */
public sealed interface PackMessage extends BedrockMessage {
    /** The most packs or experiments of a list. */
    int PACKS = 256;

    /**
     * Which packs the server offers.
     *
     * @param template from 766 on: the identity and version of the world's template
     */
    record ResourcePacksInfo(
            boolean mustAccept,
            boolean addons,
            boolean scripts,
            UUID template,
            String templateVersion,
            List<Pack> packs)
            implements PackMessage {
        public static final ResourcePacksInfo BLANK =
                new ResourcePacksInfo(false, false, false, new UUID(0, 0), "", List.of());

        public static ResourcePacksInfo wire(Wire w, ResourcePacksInfo m) {
            return walk(w, m, 748);
        }

        /** Before protocol 748 where packs are downloaded from stands in a list of its own. */
        public static ResourcePacksInfo wireBefore748(Wire w, ResourcePacksInfo m) {
            ResourcePacksInfo walked = walk(w, m, 729);
            Encoding.list(w, "links", List.of(), PACKS, PackLink.BLANK, PackLink::wire);
            return walked;
        }

        /**
         * From protocol 766 on the world's template is named, and packs by their binary identity.
         */
        public static ResourcePacksInfo wireFrom766(Wire w, ResourcePacksInfo m) {
            return walk(w, m, 766);
        }

        private static ResourcePacksInfo walk(Wire w, ResourcePacksInfo m, int version) {
            boolean mustAccept = w.bool("must accept", m.mustAccept);
            boolean addons = w.bool("addons", m.addons);
            boolean scripts = w.bool("scripts", m.scripts);
            UUID template =
                    version >= 766 ? Encoding.uuid(w, "template", m.template) : BLANK.template;
            String templateVersion =
                    version >= 766 ? Encoding.text(w, "template version", m.templateVersion) : "";
            int count = w.bounded("packs", w.u16le("packs", m.packs.size()), PACKS);
            return new ResourcePacksInfo(
                    mustAccept,
                    addons,
                    scripts,
                    template,
                    templateVersion,
                    Encoding.items(
                            w,
                            "packs",
                            m.packs,
                            count,
                            Pack.BLANK,
                            (wire, pack) -> Pack.walk(wire, pack, version)));
        }
    }

    /** Where a pack of an older version is downloaded from. */
    record PackLink(String id, String url) {
        static final PackLink BLANK = new PackLink("", "");

        static PackLink wire(Wire w, PackLink m) {
            return new PackLink(Encoding.text(w, "id", m.id), Encoding.text(w, "url", m.url));
        }
    }

    /** In which order the packs lie on each other. */
    record ResourcePackStack(
            boolean mustAccept,
            List<StackedPack> behaviourPacks,
            List<StackedPack> resourcePacks,
            String gameVersion,
            List<Experiment> experiments,
            boolean experimentsToggled,
            boolean editorPacks)
            implements PackMessage {
        public static final ResourcePackStack BLANK =
                new ResourcePackStack(false, List.of(), List.of(), "", List.of(), false, false);

        public static ResourcePackStack wire(Wire w, ResourcePackStack m) {
            return new ResourcePackStack(
                    w.bool("must accept", m.mustAccept),
                    Encoding.list(
                            w,
                            "behaviour packs",
                            m.behaviourPacks,
                            PACKS,
                            StackedPack.BLANK,
                            StackedPack::wire),
                    Encoding.list(
                            w,
                            "resource packs",
                            m.resourcePacks,
                            PACKS,
                            StackedPack.BLANK,
                            StackedPack::wire),
                    Encoding.text(w, "game version", m.gameVersion),
                    Encoding.items(
                            w,
                            "experiments",
                            m.experiments,
                            w.bounded(
                                    "experiments",
                                    w.i32le("experiments", m.experiments.size()),
                                    PACKS),
                            Experiment.BLANK,
                            Experiment::wire),
                    w.bool("experiments toggled", m.experimentsToggled),
                    w.bool("editor packs", m.editorPacks));
        }
    }

    /**
     * How far the client is with the packs.
     *
     * @param status 1 refused, 2 wants to download, 3 has all, 4 has applied all
     */
    record ResourcePackClientResponse(int status, List<PackName> packs) implements PackMessage {
        public static final ResourcePackClientResponse BLANK =
                new ResourcePackClientResponse(0, List.of());

        public static ResourcePackClientResponse wire(Wire w, ResourcePackClientResponse m) {
            return new ResourcePackClientResponse(
                    w.u8("status", m.status),
                    Encoding.items(
                            w,
                            "packs",
                            m.packs,
                            w.bounded("packs", w.u16le("packs", m.packs.size()), PACKS),
                            PackName.BLANK,
                            PackName::wire));
        }
    }

    /** Whether the client wants to be told of chunks by their hashes. */
    record ClientCacheStatus(boolean enabled) implements PackMessage {
        public static final ClientCacheStatus BLANK = new ClientCacheStatus(false);

        public static ClientCacheStatus wire(Wire w, ClientCacheStatus m) {
            return new ClientCacheStatus(w.bool("enabled", m.enabled));
        }
    }

    /** A pack on offer. */
    record Pack(
            String uuid,
            String version,
            long size,
            String key,
            String subPack,
            String contentId,
            boolean scripts,
            boolean addon,
            boolean raytracing,
            String url) {
        public static final Pack BLANK = new Pack("", "", 0, "", "", "", false, false, false, "");

        private static Pack walk(Wire w, Pack m, int version) {
            String uuid =
                    version >= 766
                            ? Encoding.uuid(w, "uuid", identity(w, m)).toString()
                            : Encoding.text(w, "uuid", m.uuid);
            return new Pack(
                    uuid,
                    Encoding.text(w, "version", m.version),
                    w.i64le("size", m.size),
                    Encoding.text(w, "key", m.key),
                    Encoding.text(w, "sub pack", m.subPack),
                    Encoding.text(w, "content id", m.contentId),
                    w.bool("scripts", m.scripts),
                    w.bool("addon", m.addon),
                    w.bool("raytracing", m.raytracing),
                    version >= 748 ? Encoding.text(w, "url", m.url) : "");
        }

        private static UUID identity(Wire w, Pack m) {
            return w.reading() ? new UUID(0, 0) : UUID.fromString(m.uuid);
        }
    }

    /** A pack in the stack. */
    record StackedPack(String uuid, String version, String subPack) {
        public static final StackedPack BLANK = new StackedPack("", "", "");

        public static StackedPack wire(Wire w, StackedPack m) {
            return new StackedPack(
                    Encoding.text(w, "uuid", m.uuid),
                    Encoding.text(w, "version", m.version),
                    Encoding.text(w, "sub pack", m.subPack));
        }
    }

    /** A pack by its identity and version. */
    record PackName(String name) {
        public static final PackName BLANK = new PackName("");

        public static PackName wire(Wire w, PackName m) {
            return new PackName(Encoding.text(w, "name", m.name));
        }
    }

    /** A feature of the game that is on or off. */
    record Experiment(String name, boolean enabled) {
        public static final Experiment BLANK = new Experiment("", false);

        public static Experiment wire(Wire w, Experiment m) {
            return new Experiment(Encoding.text(w, "name", m.name), w.bool("enabled", m.enabled));
        }
    }
}
