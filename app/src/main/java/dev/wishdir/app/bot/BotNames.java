package dev.wishdir.app.bot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** The names of bots that were not given one, in random order; a number follows after a hundred. */
public final class BotNames {
    /** A hundred names of at most eight letters, which all games can show. */
    static final List<String> ALL =
            List.of(
                    "Ada", "Aiko", "Alba", "Amir", "Anouk", "Ansel", "Arlo", "Astrid", "Basil",
                    "Bea", "Birk", "Boris", "Bruno", "Cleo", "Cosmo", "Dara", "Dario", "Delia",
                    "Dexter", "Dina", "Edda", "Eiko", "Elio", "Ember", "Enzo", "Esme", "Ezra",
                    "Fabio", "Fay", "Felix", "Finn", "Flora", "Freya", "Gil", "Greta", "Gus",
                    "Hana", "Hedda", "Hugo", "Ida", "Igor", "Ilse", "Imre", "Ines", "Iris", "Ivo",
                    "Jade", "Jasper", "Jonas", "Juno", "Kaja", "Kasimir", "Keiko", "Kira", "Knut",
                    "Lale", "Lars", "Leif", "Leonie", "Linus", "Lotte", "Luca", "Luz", "Maeve",
                    "Magnus", "Mika", "Milo", "Mira", "Moritz", "Nadia", "Nell", "Nico", "Nils",
                    "Noor", "Odin", "Olga", "Orla", "Oskar", "Otis", "Paco", "Pia", "Quinn", "Rafa",
                    "Remy", "Rosa", "Ruben", "Runa", "Sami", "Selma", "Silas", "Sven", "Tilda",
                    "Timo", "Tove", "Ulla", "Vera", "Viggo", "Wanda", "Yara", "Zeno");

    private final List<String> order = new ArrayList<>(ALL);
    private int given;

    public BotNames(RandomGenerator random) {
        Collections.shuffle(order, Random.from(random));
    }

    /** The next name, which was not given before. */
    public String next() {
        int round = given / order.size();
        String name = order.get(given % order.size());
        given++;
        return round == 0 ? name : name + (round + 1);
    }
}
