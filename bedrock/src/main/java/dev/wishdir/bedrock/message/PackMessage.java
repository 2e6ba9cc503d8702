package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;
import java.util.UUID;

/** A message about resource packs; a server without packs sends empty lists. */
public sealed interface PackMessage extends BedrockMessage {
    /** Maximum number of packs or experiments of a list. */
    int MAX_PACKS = 256;

    /**
     * The packs that the server offers.
     *
     * @param forceServerPacks only in the oldest versions, as {@code behaviourPacks}
     * @param template the identity and version of the world's template, in newer versions
     * @param links for the download of packs, in older versions
     */
    record ResourcePacksInfo(
            boolean mustAccept,
            boolean addons,
            boolean scripts,
            boolean forceServerPacks,
            List<Pack> behaviourPacks,
            boolean visualsOff,
            UUID template,
            String templateVersion,
            List<Pack> packs,
            List<PackLink> links)
            implements PackMessage {
        public static final ResourcePacksInfo BLANK =
                new ResourcePacksInfo(
                        false,
                        false,
                        false,
                        false,
                        List.of(),
                        false,
                        new UUID(0, 0),
                        "",
                        List.of(),
                        List.of());

        public static ResourcePacksInfo wire(Wire w, ResourcePacksInfo m, Dialect d) {
            boolean apart = !d.has(ProtocolChange.PACKS_IN_ONE_LIST);
            boolean template = d.has(ProtocolChange.PACK_TEMPLATE);
            return new ResourcePacksInfo(
                    w.bool("must accept", m.mustAccept),
                    w.bool("addons", m.addons),
                    w.bool("scripts", m.scripts),
                    apart && w.bool("force server packs", m.forceServerPacks),
                    apart ? behaviourPacks(w, m.behaviourPacks, d) : List.of(),
                    d.has(ProtocolChange.PACK_VISUALS) && w.bool("visuals off", m.visualsOff),
                    template ? Encoding.uuid(w, "template", m.template) : BLANK.template,
                    template ? Encoding.text(w, "template version", m.templateVersion) : "",
                    packs(w, m.packs, d),
                    d.has(ProtocolChange.PACK_URL)
                            ? List.of()
                            : Encoding.list(
                                    w,
                                    "links",
                                    m.links,
                                    MAX_PACKS,
                                    PackLink.BLANK,
                                    PackLink::wire));
        }

        private static List<Pack> behaviourPacks(Wire w, List<Pack> packs, Dialect d) {
            return Encoding.items(
                    w,
                    "behaviour packs",
                    packs,
                    w.bounded(
                            "behaviour packs", w.u16le("behaviour packs", packs.size()), MAX_PACKS),
                    Pack.BLANK,
                    (wire, pack) -> Pack.wire(wire, pack, true, d));
        }

        private static List<Pack> packs(Wire w, List<Pack> packs, Dialect d) {
            int count =
                    d.has(ProtocolChange.PACK_COUNT_VARIABLE)
                            ? Encoding.uvarint(w, "packs", packs.size())
                            : w.u16le("packs", packs.size());
            return Encoding.items(
                    w,
                    "packs",
                    packs,
                    w.bounded("packs", count, MAX_PACKS),
                    Pack.BLANK,
                    (wire, pack) -> Pack.wire(wire, pack, false, d));
        }
    }

    /** The address of a pack's download, in older versions. */
    record PackLink(String id, String url) {
        static final PackLink BLANK = new PackLink("", "");

        static PackLink wire(Wire w, PackLink m) {
            return new PackLink(Encoding.text(w, "id", m.id), Encoding.text(w, "url", m.url));
        }
    }

    /** The order of the packs in the client's stack. */
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

        public static ResourcePackStack wire(Wire w, ResourcePackStack m, Dialect d) {
            return new ResourcePackStack(
                    w.bool("must accept", m.mustAccept),
                    d.has(ProtocolChange.STACK_IN_ONE_LIST)
                            ? List.of()
                            : Encoding.list(
                                    w,
                                    "behaviour packs",
                                    m.behaviourPacks,
                                    MAX_PACKS,
                                    StackedPack.BLANK,
                                    StackedPack::wire),
                    Encoding.list(
                            w,
                            "resource packs",
                            m.resourcePacks,
                            MAX_PACKS,
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
                                    MAX_PACKS),
                            Experiment.BLANK,
                            Experiment::wire),
                    w.bool("experiments toggled", m.experimentsToggled),
                    w.bool("editor packs", m.editorPacks));
        }
    }

    /**
     * The client's progress with the packs.
     *
     * @param status from 1, in the numbers of older versions: 1 refused, 2 wants to download, 3 has
     *     all, 4 has applied all
     */
    record ResourcePackClientResponse(int status, List<PackName> packs) implements PackMessage {
        public static final ResourcePackClientResponse BLANK =
                new ResourcePackClientResponse(0, List.of());

        /** The names of the states, in the order of their numbers. */
        private static final List<String> NAMES =
                List.of(
                        "cancel",
                        "downloading",
                        "downloadingfinished",
                        "resourcepackstackfinished");

        private static final int DOWNLOADING = 2;

        /** Whether the client requests packs, which it names. */
        public boolean isDownloading() {
            return status == DOWNLOADING;
        }

        /** The name of the status in versions that write it. */
        public String statusName() {
            return status > 0 && status <= NAMES.size() ? NAMES.get(status - 1) : "";
        }

        public static ResourcePackClientResponse wire(
                Wire w, ResourcePackClientResponse m, Dialect d) {
            if (d.has(ProtocolChange.PACK_RESPONSE_NAMED)) {
                return wireNamed(w, m);
            }
            return new ResourcePackClientResponse(
                    w.u8("status", m.status),
                    Encoding.items(
                            w,
                            "packs",
                            m.packs,
                            w.bounded("packs", w.u16le("packs", m.packs.size()), MAX_PACKS),
                            PackName.BLANK,
                            PackName::wire));
        }

        /** The newer form: name and number say the same, and the number is decisive. */
        private static ResourcePackClientResponse wireNamed(Wire w, ResourcePackClientResponse m) {
            int number = Encoding.uvarint(w, "status", m.status - 1);
            int status = w.bounded("status", number, NAMES.size() - 1) + 1;
            Encoding.text(w, "status name", m.statusName());
            return new ResourcePackClientResponse(
                    status,
                    status == DOWNLOADING
                            ? Encoding.list(
                                    w, "packs", m.packs, MAX_PACKS, PackName.BLANK, PackName::wire)
                            : List.of());
        }
    }

    /** Whether the client supports chunks by their hashes. */
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

        private static Pack wire(Wire w, Pack m, boolean behaviour, Dialect d) {
            return new Pack(
                    d.has(ProtocolChange.PACK_TEMPLATE)
                            ? Encoding.uuidText(w, "uuid", m.uuid)
                            : Encoding.text(w, "uuid", m.uuid),
                    Encoding.text(w, "version", m.version),
                    w.i64le("size", m.size),
                    Encoding.text(w, "key", m.key),
                    Encoding.text(w, "sub pack", m.subPack),
                    Encoding.text(w, "content id", m.contentId),
                    w.bool("scripts", m.scripts),
                    d.has(ProtocolChange.PACK_ADDON) && w.bool("addon", m.addon),
                    !behaviour && w.bool("raytracing", m.raytracing),
                    d.has(ProtocolChange.PACK_URL) ? Encoding.text(w, "url", m.url) : "");
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

    /** A pack by its UUID and version. */
    record PackName(String name) {
        public static final PackName BLANK = new PackName("");

        public static PackName wire(Wire w, PackName m) {
            return new PackName(Encoding.text(w, "name", m.name));
        }
    }

    /** An experiment of the game that is on or off. */
    record Experiment(String name, boolean enabled) {
        public static final Experiment BLANK = new Experiment("", false);

        public static Experiment wire(Wire w, Experiment m) {
            return new Experiment(Encoding.text(w, "name", m.name), w.bool("enabled", m.enabled));
        }
    }
}
