package dev.wishdir.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The report is one file, in which nothing that a server says is markup. */
final class LoadPageTest {
    private static final String HOSTILE =
            "</script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- & 'quote'"
                    + " \"quote\"";

    private static JsonObject data(String html) {
        String begin = "<script id=\"data\" type=\"application/json\">";
        int at = html.indexOf(begin) + begin.length();
        return JsonParser.parseString(html.substring(at, html.indexOf("</script>", at)))
                .getAsJsonObject();
    }

    private static LoadSide side(String server, String... problems) {
        return new LoadSide(
                List.of(
                        LoadTextTest.measured(
                                server, LoadTextTest.latencies(1, 2, 2, 40), problems)));
    }

    @Test
    void escapesServerText() {
        String html = LoadPage.of(side("10.0.0.1:1", HOSTILE)).html();

        assertThat(html).doesNotContain("alert(1)</script>", "<img", "onerror=alert");
        JsonObject said =
                data(html)
                        .getAsJsonArray("sides")
                        .get(0)
                        .getAsJsonObject()
                        .getAsJsonArray("problems")
                        .get(0)
                        .getAsJsonObject();
        assertThat(said.get("reason").getAsString()).isEqualTo(HOSTILE);
        assertThat(said.get("count").getAsInt()).isOne();
    }

    @Test
    void loadsNothingFromElsewhere() {
        String html = LoadPage.of(side("10.0.0.1:1")).html();

        assertThat(html)
                .contains("default-src 'none'", "var uPlot=", ".u-legend", "Leon Sorokin")
                .doesNotContain("/*uplot.js*/", "/*uplot.css*/", "uplot.license", "{\"data\":0}")
                .doesNotContainPattern("<(script|img|link|iframe)[^>]* (src|href)=");
    }

    @Test
    void includesAllDrawnData() {
        JsonObject told = data(LoadPage.of(side("10.0.0.1:1")).html());
        JsonObject side = told.getAsJsonArray("sides").get(0).getAsJsonObject();
        JsonObject samples = side.getAsJsonObject("samples");

        assertThat(told.get("game").getAsString()).isEqualTo("red");
        assertThat(side.get("process").getAsString()).isEqualTo("process 7 (server)");
        assertThat(samples.getAsJsonArray("time").get(0).getAsDouble()).isEqualTo(1);
        assertThat(samples.getAsJsonArray("p50").get(0).getAsDouble()).isBetween(2.4, 2.6);
        assertThat(samples.getAsJsonArray("serverCpu").get(0).getAsDouble()).isEqualTo(12.5);
        assertThat(samples.getAsJsonArray("ownCpu").get(0).getAsString()).isEmpty();
        assertThat(side.getAsJsonArray("shares").get(0).getAsJsonArray()).hasSize(1);
        assertThat(told.getAsJsonArray("figures")).hasSize(LoadFigure.values().length);
    }

    @Test
    void showsRatiosOfTwoServers() {
        JsonObject told =
                data(
                        LoadPage.of(new LoadComparison(side("10.0.0.1:1"), side("10.0.0.2:2")))
                                .html());

        assertThat(told.getAsJsonArray("sides")).hasSize(2);
        assertThat(
                        told.getAsJsonArray("figures")
                                .get(0)
                                .getAsJsonObject()
                                .getAsJsonArray("values")
                                .get(2)
                                .getAsDouble())
                .isEqualTo(1);
    }
}
