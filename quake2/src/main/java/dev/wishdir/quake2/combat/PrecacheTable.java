package dev.wishdir.quake2.combat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * The models, sounds and pictures of fights, which clients load with a map, and the names of items.
 * Clients know each by its index; index 0 is nothing. The models that others carry are counted by
 * clients: the nth is that of weapon n.
 */
public final class PrecacheTable {
    /** The model of a bolt, and of all projectiles that no other model fits. */
    public static final String BOLT = "models/objects/laser/tris.md2";

    public static final String ROCKET = "models/objects/rocket/tris.md2";
    public static final String GRENADE = "models/objects/grenade/tris.md2";
    public static final String HAND_GRENADE = "models/objects/grenade2/tris.md2";
    public static final String BFG_BALL = "sprites/s_bfg1.sp2";
    public static final String BFG_BLAST = "sprites/s_bfg3.sp2";

    private static final int FIRST_MODEL = 32;
    private static final int FIRST_SOUND = 288;
    private static final int FIRST_PICTURE = 544;
    private static final int FIRST_ITEM = 1056;

    /** The weapons that others carry, by their numbers. */
    private static final List<String> CARRIED =
            List.of(
                    "#w_blaster.md2",
                    "#w_shotgun.md2",
                    "#w_sshotgun.md2",
                    "#w_machinegun.md2",
                    "#w_chaingun.md2",
                    "#a_grenades.md2",
                    "#w_glauncher.md2",
                    "#w_rlauncher.md2",
                    "#w_hyperblaster.md2",
                    "#w_railgun.md2",
                    "#w_bfg.md2");

    private static final List<String> SOUNDS =
            List.of(
                    "*death1.wav",
                    "*death2.wav",
                    "*death3.wav",
                    "*death4.wav",
                    "*pain25_1.wav",
                    "*pain25_2.wav",
                    "*pain50_1.wav",
                    "*pain50_2.wav",
                    "*pain75_1.wav",
                    "*pain75_2.wav",
                    "*pain100_1.wav",
                    "*pain100_2.wav",
                    "misc/lasfly.wav",
                    "weapons/bfg__l1a.wav",
                    "weapons/bfg__x1b.wav",
                    "weapons/bfg_hum.wav",
                    "weapons/chngnd1a.wav",
                    "weapons/chngnl1a.wav",
                    "weapons/chngnu1a.wav",
                    "weapons/grenlb1b.wav",
                    "weapons/hgrena1b.wav",
                    "weapons/hgrenb1a.wav",
                    "weapons/hgrenb2a.wav",
                    "weapons/hgrenc1b.wav",
                    "weapons/hgrent1a.wav",
                    "weapons/hyprbd1a.wav",
                    "weapons/hyprbl1a.wav",
                    "weapons/noammo.wav",
                    "weapons/rg_hum.wav",
                    "weapons/rockfly.wav");

    /** The sounds of items. */
    private static final List<String> PICKUP_SOUNDS =
            Stream.concat(
                            Arrays.stream(PickupItem.values()).map(PickupItem::sound),
                            Stream.of(QuadDamage.USED, QuadDamage.RUNS_OUT, QuadDamage.SHOT))
                    .distinct()
                    .toList();

    /** Pictures besides the icons of weapons and ammunition. */
    private static final List<String> PICTURES =
            List.of(
                    "i_help",
                    "i_health",
                    "help",
                    "field_3",
                    "tag1",
                    "tag2",
                    "i_bodyarmor",
                    "i_combatarmor",
                    "i_jacketarmor",
                    QuadDamage.ICON);

    /** Names of the items by number, from 1. */
    private static final List<String> ITEMS =
            List.of(
                    "Body Armor",
                    "Combat Armor",
                    "Jacket Armor",
                    "Armor Shard",
                    "Power Screen",
                    "Power Shield",
                    "Blaster",
                    "Shotgun",
                    "Super Shotgun",
                    "Machinegun",
                    "Chaingun",
                    "Grenades",
                    "Grenade Launcher",
                    "Rocket Launcher",
                    "HyperBlaster",
                    "Railgun",
                    "BFG10K",
                    "Shells",
                    "Bullets",
                    "Cells",
                    "Rockets",
                    "Slugs",
                    "Quad Damage",
                    "Invulnerability",
                    "Silencer",
                    "Rebreather",
                    "Environment Suit",
                    "Ancient Head",
                    "Adrenaline",
                    "Bandolier",
                    "Ammo Pack",
                    "Blue Key",
                    "Data CD",
                    "Power Cube",
                    "Pyramid Key",
                    "Data Spinner",
                    "Security Pass",
                    "Red Key",
                    "Commander's Head",
                    "Airstrike Marker",
                    "Health");

    private final SequencedMap<String, Integer> models = new LinkedHashMap<>();
    private final SequencedMap<String, Integer> sounds = new LinkedHashMap<>();
    private final SequencedMap<String, Integer> pictures = new LinkedHashMap<>();

    /**
     * @param inlineModels number of brush models of the map besides the world, whose indices come
     *     first
     */
    public PrecacheTable(int inlineModels) {
        this(inlineModels, List.of(), false);
    }

    /**
     * @param items that lie on the map
     * @param flags whether there are flags
     */
    public PrecacheTable(int inlineModels, List<PickupItem> items, boolean flags) {
        List<String> views = new ArrayList<>();
        Arrays.stream(Weapon.values()).map(Weapon::viewModel).forEach(views::add);
        number(models, inlineModels + 2, views);
        number(models, inlineModels + 2, CARRIED);
        number(
                models,
                inlineModels + 2,
                List.of(BOLT, ROCKET, GRENADE, HAND_GRENADE, BFG_BALL, BFG_BLAST));
        number(models, inlineModels + 2, items.stream().map(PickupItem::model).distinct().toList());
        number(sounds, 1, SOUNDS);
        number(sounds, 1, items.isEmpty() ? List.of() : PICKUP_SOUNDS);
        if (flags) {
            List<FlagModel> all = List.of(FlagModel.values());
            number(models, inlineModels + 2, all.stream().map(FlagModel::model).toList());
            number(sounds, 1, FlagModel.SOUNDS);
            number(pictures, 1, all.stream().map(FlagModel::icon).toList());
        }
        number(pictures, 1, PICTURES);
        number(
                pictures,
                1,
                Stream.concat(
                                Arrays.stream(Weapon.values()).map(Weapon::icon),
                                Arrays.stream(Ammo.values()).map(Ammo::icon))
                        .toList());
    }

    private static void number(Map<String, Integer> to, int first, List<String> names) {
        for (String name : names) {
            to.putIfAbsent(name, first + to.size());
        }
    }

    /** The index of a model; 0 if it is not in the table, or empty. */
    public int model(String path) {
        return models.getOrDefault(path, 0);
    }

    /** The index of a sound; 0 if it is not in the table, or empty. */
    public int sound(String path) {
        return sounds.getOrDefault(path, 0);
    }

    /** The index of a picture; 0 if it is not in the table, or empty. */
    public int picture(String name) {
        return pictures.getOrDefault(name, 0);
    }

    /** The number of the configstring with the name of an item. */
    public int itemName(int item) {
        return FIRST_ITEM + item;
    }

    /** All texts by the number of their configstring. */
    public Map<Integer, String> configStrings() {
        Map<Integer, String> texts = new LinkedHashMap<>();
        models.forEach((name, index) -> texts.put(FIRST_MODEL + index, name));
        sounds.forEach((name, index) -> texts.put(FIRST_SOUND + index, name));
        pictures.forEach((name, index) -> texts.put(FIRST_PICTURE + index, name));
        for (int i = 0; i < ITEMS.size(); i++) {
            texts.put(FIRST_ITEM + 1 + i, ITEMS.get(i));
        }
        return texts;
    }
}
