//! Serialisation of values as their texts, written once for all games. A value that is read has been checked.

/// Implements `Serialize` and `Deserialize` of serde by `Display` and `FromStr`.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! impl_serde_as_text {
    ($type:ty, $expected:literal $(, [$($generics:tt)*])?) => {
        impl $(<$($generics)*>)? $crate::__private::serde::Serialize for $type {
            fn serialize<S: $crate::__private::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de, $($($generics)*)?> $crate::__private::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__private::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::text_serde::TextVisitor::new($expected))
            }
        }
    };
}

/// Without the feature `serde` there is nothing to implement.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! impl_serde_as_text {
    ($($tokens:tt)*) => {};
}

/// Reads a value from its text.
#[cfg(feature = "serde")]
#[derive(Debug)]
pub struct TextVisitor<T> {
    expected: &'static str,
    value: core::marker::PhantomData<T>,
}

#[cfg(feature = "serde")]
impl<T> TextVisitor<T> {
    /// Creates a visitor that describes what it expects.
    pub const fn new(expected: &'static str) -> Self {
        TextVisitor { expected, value: core::marker::PhantomData }
    }
}

#[cfg(feature = "serde")]
impl<T: core::str::FromStr<Err: core::fmt::Display>> serde::de::Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
