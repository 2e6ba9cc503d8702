package dev.wishdir.blocks.arena;

import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and writes an arena as text, docs/arena.md. A header, a legend of letters and the spawn
 * points come first, then the layers from the lowest up. A layer is written row by row from the
 * north, one letter per block from the west.
 *
 * <pre>
 * wishdir-arena 1
 * name shed
 * size 4 4 3
 * ground 1
 * block # brick
 * block _ wood half
 * spawn -1 0 0 90
 * layer 0
 * ####
 * …
 * layers 1-2
 * #..#
 * …
 * </pre>
 */
public final class ArenaText {
    private static final String MAGIC = "wishdir-arena 1";

    /** The first line of form 2, which adds water and ladders. */
    private static final String MAGIC_2 = "wishdir-arena 2";

    /** The first line of form 3, which adds flags and the spawn points of teams. */
    private static final String MAGIC_3 = "wishdir-arena 3";

    private static final Pattern NEWER = Pattern.compile("wishdir-arena ([4-9]|[1-9][0-9]{1,5})");
    private static final char AIR = '.';
    private static final Pattern LAYERS = Pattern.compile("(\\d{1,3})(?:-(\\d{1,3}))?");
    private static final String LETTERS =
            "#_=-%+*o:;@&$ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwxyz";

    /** Words of a spawn's line before its team. */
    private static final int SPAWN_WORDS = 5;

    /** Words of an item's line before its return time. */
    private static final int ITEM_WORDS = 5;

    private record Block(Material material, boolean half) {}

    private final String[] lines;
    private int line;
    private int form;

    private String name = "";
    private String title = "";
    private BlockArena.Sun sun = BlockArena.Sun.USUAL;
    private int @Nullable [] size;
    private int ground;
    private final Map<Character, Block> legend = new HashMap<>();
    private final List<Movement> spawns = new ArrayList<>();
    private final List<MoveTrigger> triggers = new ArrayList<>();
    private final List<PlacedItem> items = new ArrayList<>();
    private final CourseText course = new CourseText();
    private final FlagText flags = new FlagText();
    private BlockGrid.@Nullable Builder blocks;
    private int layers;

    private ArenaText(String text) {
        lines = text.split("\r?\n", -1);
    }

    /**
     * Reads an arena.
     *
     * @throws MalformedArenaException if the text is not an arena, with line and column
     */
    public static BlockArena read(String text) throws MalformedArenaException {
        return new ArenaText(text).arena();
    }

    private MalformedArenaException malformed(int column, String what) {
        return new MalformedArenaException(Math.min(line + 1, lines.length), column + 1, what);
    }

    private BlockArena arena() throws MalformedArenaException {
        Matcher newer = NEWER.matcher(lines[0].strip());
        if (newer.matches()) {
            throw malformed(
                    0,
                    "the arena is of form "
                            + newer.group(1)
                            + ", of a newer release of Wishdir; this one reads forms 1 to 3");
        }
        form = 1 + List.of(MAGIC, MAGIC_2, MAGIC_3).indexOf(lines[0].strip());
        if (form == 0) {
            throw malformed(
                    0,
                    "an arena begins with '" + MAGIC + "', '" + MAGIC_2 + "' or '" + MAGIC_3 + "'");
        }
        for (line = 1; line < lines.length; line++) {
            String[] words = lines[line].strip().split("\\s+");
            switch (words[0]) {
                case "", "//" -> {}
                case "name" -> name = name();
                case "title" -> title = lines[line].strip().substring("title".length()).strip();
                case "sun" -> {
                    int[] at = numbers(words, 2);
                    sun = new BlockArena.Sun(at[0], at[1]);
                }
                case "size" -> size = numbers(words, 3);
                case "ground" -> ground = numbers(words, 1)[0];
                case "block" -> block(words);
                case "spawn" -> spawn(words);
                case "flag" -> flag(words);
                case "teleporter" -> {
                    double[] at = coordinates(words, 7);
                    triggers.add(
                            new MoveTrigger.Teleporter(
                                    new Vec3(at[0], at[1], at[2]),
                                    movement(at[3], at[4], at[5], at[6])));
                }
                case "pad" -> pad(coordinates(words, 6));
                case "item" -> item(words);
                case "layer", "layers" -> layers(words);
                case String word when CourseText.isWord(word) ->
                        course.add(word, line + 1, coordinates(words, CourseText.NUMBERS));
                default -> throw malformed(column(0), "no line begins with '" + words[0] + "'");
            }
        }
        BlockGrid.Builder done = blocks;
        int[] measures = size;
        if (done == null || measures == null || layers < measures[2]) {
            throw malformed(0, "layer " + layers + " is missing");
        }
        if (name.isEmpty()) {
            throw malformed(0, "the arena has no name");
        }
        if (spawns.isEmpty()) {
            throw malformed(0, "the arena has no spawn");
        }
        String wrong = flags.problem();
        if (!wrong.isEmpty()) {
            throw malformed(0, wrong);
        }
        BlockGrid grid = done.build();
        return new BlockArena(name, title.isEmpty() ? name : title, sun, grid, spawns, triggers)
                .withItems(items)
                .withCourse(course.build(grid))
                .withBases(flags.bases());
    }

    /** The column at which a word of the line begins. */
    private int column(int word) {
        Matcher words = Pattern.compile("\\S+").matcher(lines[line]);
        int at = 0;
        for (int i = 0; i <= word; i++) {
            if (!words.find()) {
                return lines[line].length();
            }
            at = words.start();
        }
        return at;
    }

    private String name() throws MalformedArenaException {
        String found = lines[line].strip().substring("name".length()).strip();
        if (!found.matches("[a-z0-9_-]{1,24}")) {
            throw malformed(column(1), "a name has up to 24 of a-z, 0-9, _ and -");
        }
        return found;
    }

    private int[] numbers(String[] words, int count) throws MalformedArenaException {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (int) number(words, i + 1);
        }
        checkEnd(words, count + 1);
        return numbers;
    }

    private void checkEnd(String[] words, int count) throws MalformedArenaException {
        if (words.length > count) {
            throw malformed(column(count), "'" + words[count] + "' is one word too many");
        }
    }

    private double number(String[] words, int index) throws MalformedArenaException {
        try {
            double number = index < words.length ? Double.parseDouble(words[index]) : Double.NaN;
            if (Math.abs(number) < 10_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, as a missing number is.
        }
        throw malformed(column(index), "expected a number of less than 10000");
    }

    private void block(String[] words) throws MalformedArenaException {
        if (words.length < 3 || words[1].length() != 1 || words[1].charAt(0) == AIR) {
            throw malformed(
                    column(1), "expected a block's letter, which is not '.', and its material");
        }
        Material material = null;
        for (Material each : Material.values()) {
            material = each.text().equals(words[2]) ? each : material;
        }
        if (material == null) {
            throw malformed(column(2), "there is no material '" + words[2] + "'");
        }
        if (!material.solid() && form < 2) {
            throw malformed(
                    column(2), "form 1 has no " + words[2] + ": begin with '" + MAGIC_2 + "'");
        }
        boolean half = words.length > 3 && words[3].equals("half");
        checkEnd(words, half ? 4 : 3);
        if (half && !material.hasHalf()) {
            throw malformed(column(3), "there is no half " + words[2]);
        }
        if (legend.put(words[1].charAt(0), new Block(material, half)) != null) {
            throw malformed(column(1), "the letter '" + words[1] + "' is already defined");
        }
    }

    private void spawn(String[] words) throws MalformedArenaException {
        double[] at = new double[SPAWN_WORDS - 1];
        for (int i = 0; i < at.length; i++) {
            at[i] = number(words, i + 1);
        }
        checkEnd(words, SPAWN_WORDS + 1);
        Movement spawn = movement(at[0], at[1], at[2], at[3]);
        spawns.add(spawn);
        if (words.length > SPAWN_WORDS && !flags.addSpawn(team(words, SPAWN_WORDS), spawn)) {
            throw malformed(column(SPAWN_WORDS), "this spawn is of the other team already");
        }
    }

    /** {@code flag TEAM X Y Z}. */
    private void flag(String[] words) throws MalformedArenaException {
        String team = team(words, 1);
        Vec3 place = new Vec3(number(words, 2), number(words, 3), number(words, 4));
        checkEnd(words, 5);
        if (!flags.addFlag(team, place)) {
            throw malformed(column(1), "there is a flag of " + team + " already");
        }
    }

    private String team(String[] words, int index) throws MalformedArenaException {
        if (form < 3) {
            throw malformed(
                    column(0), "form " + form + " has no teams: begin with '" + MAGIC_3 + "'");
        }
        if (index >= words.length || !FlagText.TEAMS.contains(words[index])) {
            throw malformed(column(index), "expected a team, red or blue");
        }
        return words[index];
    }

    private double[] coordinates(String[] words, int count) throws MalformedArenaException {
        double[] at = new double[count];
        for (int i = 0; i < count; i++) {
            at[i] = number(words, i + 1);
        }
        checkEnd(words, count + 1);
        return at;
    }

    private static Movement movement(double x, double y, double z, double yaw) {
        return Movement.at(new Vec3(x, y, z), Math.floorMod((int) yaw, 360));
    }

    private void pad(double[] at) throws MalformedArenaException {
        if (at[5] <= at[2]) {
            throw malformed(column(6), "a pad throws upwards: expected more than " + plain(at[2]));
        }
        triggers.add(
                new MoveTrigger.JumpPad(
                        new Vec3(at[0], at[1], at[2]), new Vec3(at[3], at[4], at[5])));
    }

    /** {@code item KIND X Y Z [SECONDS]}. */
    private void item(String[] words) throws MalformedArenaException {
        ItemKind kind = words.length < 2 ? null : ItemKind.of(words[1]).orElse(null);
        if (kind == null) {
            throw malformed(column(1), "expected a kind of item, one of " + kinds());
        }
        Vec3 place = new Vec3(number(words, 2), number(words, 3), number(words, 4));
        Duration returns = kind.returnTime();
        if (words.length > ITEM_WORDS) {
            returns = Duration.ofMillis(Math.round(1_000 * number(words, ITEM_WORDS)));
        }
        checkEnd(words, ITEM_WORDS + 1);
        if (items.size() == PlacedItem.MAX_ITEMS) {
            throw malformed(0, "an arena has at most " + PlacedItem.MAX_ITEMS + " items");
        }
        try {
            items.add(new PlacedItem(kind, place, returns, ""));
        } catch (IllegalArgumentException e) {
            throw malformed(column(ITEM_WORDS), String.valueOf(e.getMessage()));
        }
    }

    private static String kinds() {
        return Arrays.stream(ItemKind.values())
                .map(ItemKind::toString)
                .collect(Collectors.joining(", "));
    }

    private void layers(String[] words) throws MalformedArenaException {
        int[] measures = size;
        if (measures == null) {
            throw malformed(0, "the size must come before the layers");
        }
        if (blocks == null) {
            try {
                blocks = new BlockGrid.Builder(measures[0], measures[1], measures[2], ground);
            } catch (IllegalArgumentException e) {
                throw malformed(0, String.valueOf(e.getMessage()));
            }
        }
        Matcher range = LAYERS.matcher(words.length > 1 ? words[1] : "");
        if (!range.matches()) {
            throw malformed(column(1), "expected a layer's number, or a range such as 3-5");
        }
        checkEnd(words, 2);
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
        if (first != layers || last < first || last >= measures[2]) {
            throw malformed(
                    column(1),
                    layers == measures[2]
                            ? "the size says that there are " + layers + " layers"
                            : "expected layer " + layers);
        }
        for (int row = 0; row < measures[1]; row++) {
            line++;
            row(measures, row, first, last, blocks);
        }
        layers = last + 1;
    }

    private void row(int[] measures, int row, int first, int last, BlockGrid.Builder into)
            throws MalformedArenaException {
        String letters = line < lines.length ? lines[line].stripTrailing() : "";
        for (int column = 0; column < measures[0]; column++) {
            if (column >= letters.length()) {
                throw malformed(column, "a row has " + measures[0] + " letters");
            }
            char letter = letters.charAt(column);
            Block block = legend.get(letter);
            if (block == null && letter != AIR) {
                throw malformed(column, "the letter '" + letter + "' is not defined");
            }
            for (int layer = first; block != null && layer <= last; layer++) {
                int x = column - measures[0] / 2;
                int y = measures[1] / 2 - 1 - row;
                into.set(x, y, layer - ground, block.material, block.half);
            }
        }
        if (letters.length() > measures[0]) {
            throw malformed(measures[0], "a row has " + measures[0] + " letters");
        }
    }

    /** The text of an arena; reads back equal if its positions are multiples of 1/16 m. */
    public static String write(BlockArena arena) {
        BlockGrid blocks = arena.blocks();
        boolean wet = blocks.has(Material.WATER) || blocks.has(Material.LADDER);
        String magic = arena.bases().isPresent() ? MAGIC_3 : wet ? MAGIC_2 : MAGIC;
        StringBuilder text = new StringBuilder(magic).append('\n');
        text.append("name ").append(arena.name()).append("\ntitle ").append(arena.title());
        text.append(
                String.format(
                        Locale.ROOT, "\nsun %d %d\n", arena.sun().azimuth(), arena.sun().height()));
        text.append(
                String.format(
                        Locale.ROOT,
                        "size %d %d %d\n",
                        blocks.width(),
                        blocks.depth(),
                        blocks.height()));
        text.append("ground ").append(blocks.ground()).append('\n');
        Map<Block, Character> letters = new HashMap<>();
        List<String> layers = new ArrayList<>();
        for (int z = blocks.minZ(); z < blocks.maxZ(); z++) {
            layers.add(layer(blocks, z, letters));
        }
        letters.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(entry -> {
                    Block block = entry.getKey();
                    text.append("block ").append(entry.getValue()).append(' ');
                    text.append(block.material.text()).append(block.half ? " half\n" : "\n");
                });
        for (Movement spawn : arena.spawns()) {
            String end = plain(spawn.yaw()) + FlagText.ofSpawn(arena.bases(), spawn);
            line(text, "spawn", List.of(spawn.position()), end);
        }
        arena.bases()
                .ifPresent(bases -> {
                    line(text, "flag red", List.of(bases.red().flag()), "");
                    line(text, "flag blue", List.of(bases.blue().flag()), "");
                });
        for (MoveTrigger trigger : arena.moveTriggers()) {
            List<Vec3> ends = List.of(trigger.place(), trigger.target());
            switch (trigger) {
                case MoveTrigger.Teleporter teleporter ->
                        line(text, "teleporter", ends, plain(teleporter.exit().yaw()));
                case MoveTrigger.JumpPad _ -> line(text, "pad", ends, "");
            }
        }
        for (PlacedItem item : arena.items()) {
            boolean usual = item.returnTime().equals(item.kind().returnTime());
            line(
                    text,
                    "item " + item.kind(),
                    List.of(item.place()),
                    usual ? "" : plain(item.returnTime().toMillis() / 1_000.0));
        }
        arena.course()
                .ifPresent(course ->
                        CourseText.forEachLine(
                                course, (word, places) -> line(text, word, places, "")));
        for (int first = 0; first < layers.size(); ) {
            int last = first;
            while (last + 1 < layers.size() && layers.get(last + 1).equals(layers.get(first))) {
                last++;
            }
            text.append(first == last ? "layer " + first : "layers " + first + "-" + last);
            text.append('\n').append(layers.get(first));
            first = last + 1;
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String kind, List<Vec3> places, String end) {
        text.append(kind);
        for (Vec3 at : places) {
            text.append(' ').append(plain(at.x()));
            text.append(' ').append(plain(at.y()));
            text.append(' ').append(plain(at.z()));
        }
        text.append(end.isEmpty() ? "" : " ").append(end).append('\n');
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }

    private static String layer(BlockGrid blocks, int z, Map<Block, Character> letters) {
        StringBuilder rows = new StringBuilder();
        for (int y = blocks.maxY() - 1; y >= blocks.minY(); y--) {
            for (int x = blocks.minX(); x < blocks.maxX(); x++) {
                Material material = blocks.material(x, y, z);
                if (material == null) {
                    rows.append(AIR);
                } else {
                    Block block = new Block(material, blocks.filled(x, y, z) == 1);
                    rows.append(
                            letters.computeIfAbsent(block, _ -> LETTERS.charAt(letters.size())));
                }
            }
            rows.append('\n');
        }
        return rows.toString();
    }
}
