package dev.wishdir.inspect.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldFilterTest {
    private static final String FIELDS =
            "{\"ps\":{\"origin\":[1.5,-2],\"pos.base[0]\":7},\"cmds\":[{\"up\":1},{\"up\":200}],\"name\":\"Ada"
                + " = best\",\"none\":null,\"on\":true,\"2\":{\"x\":9},\"é\":4,\"digits\":\"12\",\"z\":29.999998092651367,\"time\":1764100800.125,\"id\":16777217}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ps.origin.0=1.5",
                "ps.origin=-2",
                "ps.origin.1=-2.0",
                "ps.pos.base[0]=7",
                "ps.pos.base.0=7",
                "ps.pos.base=7",
                "ps.origin[1]=-2",
                "cmds.up=200",
                "cmds.1.up = 200",
                "none=null",
                "on=true",
                "name=Ada = best",
                "2.x=9e0",
                "é=4",
                "digits=12",
                "z=29.999998",
                "z=29.999998092651367"
            })
    void namesFieldByPath(String wanted) {
        assertThat(FieldFilter.parse(wanted).matches(FIELDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ps.origin.1=1.5",
                "cmds.0.up=200",
                "ps.origin[1]=1.5",
                "ps.pos.base.1=7",
                "up=200",
                "origin=-2",
                "on=1",
                "on=",
                "digits=12.0",
                "ps=1.5",
                "cmds.2.up=200",
                "cmds.=200",
                "x=9",
                "z=29.99999",
                "z=30",
                "time=1764100800.25",
                "id=16777216"
            })
    void rejectsOtherPlaceOrValue(String wanted) {
        assertThat(FieldFilter.parse(wanted).matches(FIELDS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cn", "=1", " =1", ""})
    void refusesExpressionWithoutField(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FieldFilter.parse(text))
                .withMessage("'" + text + "' is not FIELD=VALUE, such as cn=1");
    }
}
