/** Programs on ENet that use nothing but what is public. */
@NullMarked
package dev.wishdir.enet.example;

import org.jspecify.annotations.NullMarked;
