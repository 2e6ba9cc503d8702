package dev.wishdir.bedrock.protocol;

import dev.wishdir.arena.event.Team;
import dev.wishdir.bedrock.message.BlockPos;
import dev.wishdir.bedrock.message.ItemStack;
import dev.wishdir.bedrock.message.Nbt;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The banners of the game that stand for the flags of teams: as items, and as blocks. */
public final class FlagBanner {
    private static final String ITEM = "minecraft:banner";

    /** The tag of a block with the number of its dye. */
    private static final String BASE = "Base";

    private FlagBanner() {}

    private static int dye(Team team) {
        return team == Team.RED ? 1 : 4;
    }

    private static Optional<Team> ofDye(int dye) {
        return Stream.of(Team.values()).filter(team -> dye(team) == dye).findFirst();
    }

    /**
     * The item.
     *
     * @param netId 0 for a stack that the client can't take hold of
     */
    public static ItemStack stack(BedrockCodec codec, Team team, int netId) {
        return ItemStack.of(ItemPalette.number(codec, ITEM), 1, netId).withMetadata(dye(team));
    }

    /** The team whose flag an item is; empty for any other item. */
    public static Optional<Team> team(BedrockCodec codec, ItemStack stack) {
        return stack.id() == ItemPalette.number(codec, ITEM)
                ? ofDye(stack.metadata())
                : Optional.empty();
    }

    /** The tags of the block, which have its colour. */
    public static Nbt.Compound tags(Team team, BlockPos at) {
        return new Nbt.Compound(
                Map.of(
                        "id",
                        new Nbt.StringTag("Banner"),
                        BASE,
                        new Nbt.IntTag(dye(team)),
                        "Type",
                        new Nbt.IntTag(0),
                        "x",
                        new Nbt.IntTag(at.x()),
                        "y",
                        new Nbt.IntTag(at.y()),
                        "z",
                        new Nbt.IntTag(at.z())));
    }

    /** The team whose flag a block with these tags is; empty for any other block. */
    public static Optional<Team> team(Nbt.Compound tags) {
        return tags.values().get(BASE) instanceof Nbt.IntTag dye
                ? ofDye(dye.value())
                : Optional.empty();
    }
}
