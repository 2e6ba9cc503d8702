package dev.wishdir.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.DamageMeans;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class GameStylesTest {
    @Test
    void namesGamesTheirColoursAndWeapons() {
        Map<DamageMeans, String> weapons = Map.of(DamageMeans.MACHINE_GUN, "putter");
        GameStyles styles =
                new GameStyles(
                        List.of(
                                new GameStyles.Style("golf", 0x7FD962, 0x2F7D12, 0x0000FF, weapons),
                                new GameStyles.Style("chess", 1, 2, 3, Map.of())));
        assertThat(styles.css())
                .startsWith(":root { --games: golf chess; }\n")
                .contains(":root { --golf: #7fd962; --body-golf: #0000ff; }")
                .contains(":root.light { --golf: #2f7d12; }")
                .contains(":root { --golf-machine-gun: \"putter\"; }\n")
                .contains(".chess { color: var(--chess); }");
    }
}
