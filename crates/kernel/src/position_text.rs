//! Positions and setups as texts, written once for all games.

/// Implements `FromStr`, `Display` and serialisation of a board by its position text.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_position_text {
    ($board:ty $(, [$($generics:tt)*])?) => {
        /// Writes the position text with default counters, as counters belong to the game history.
        impl $(<$($generics)*>)? ::core::fmt::Display for $board {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(&$crate::Setup::to_text(&$crate::Position::to_setup(self)))
            }
        }

        /// Reads a position text. No issue is waived.
        impl $(<$($generics)*>)? ::core::str::FromStr for $board {
            type Err = $crate::PositionErrorOf<$board>;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let setup = <$crate::SetupOf<$board> as $crate::Setup>::parse(text)?;
                Ok(<$board as $crate::Position>::from_setup(&setup, &$crate::Waivers::None)?)
            }
        }

        $crate::impl_serde_as_text!($board, "a position text" $(, [$($generics)*])?);
    };
}

/// Implements `FromStr`, `Display`, `Debug` and serialisation of a setup by its position text.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_setup_text {
    ($setup:ty) => {
        /// Writes the position text.
        impl ::core::fmt::Display for $setup {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(&$crate::Setup::to_text(self))
            }
        }

        /// Writes the position text.
        impl ::core::fmt::Debug for $setup {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }

        /// Reads a position text; the position may be impossible.
        impl ::core::str::FromStr for $setup {
            type Err = $crate::FenError<<$setup as $crate::Setup>::Expected>;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::Setup::parse(text)
            }
        }

        $crate::impl_serde_as_text!($setup, "a position text");
    };
}
