//! The vector instructions of this processor, and which of them filters use.
//!
//! Some families have several versions of their innermost loop (*kernels*). All versions give the same answers. The fastest one that
//! the processor supports is chosen once. Measurements and tests can choose another one for the whole process.

use crate::error::{Error, Result};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A set of instructions, from the common ones to the newest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// The instructions of every machine of this architecture.
    Portable,
    /// AVX2, BMI1, BMI2 and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VPOPCNTDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// NEON.
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon,
}

/// All sets, the fastest last.
const ALL: &[Instructions] = &[
    Instructions::Portable,
    #[cfg(target_arch = "x86_64")]
    Instructions::Avx2,
    #[cfg(target_arch = "x86_64")]
    Instructions::Avx512,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Instructions::Neon,
];

/// Instructions that this processor has. A `Kernel` cannot be created for others.
///
/// ```
/// use bloomwise::unstable::Kernel;
///
/// assert!(Kernel::available().contains(&Kernel::current()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Instructions);

/// The kernel that [`Kernel::choose`] has set, counted from 1; 0 if none was set.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

impl Kernel {
    /// The kernels of this processor, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let available = ALL.iter().filter(|&&instructions| has(instructions));
        available
            .map(|&instructions| Kernel(instructions))
            .collect()
    }

    /// The kernel that new filters will use.
    pub fn current() -> Kernel {
        let chosen = CHOSEN.load(Ordering::Relaxed).checked_sub(1);
        let fastest = || ALL.iter().rev().find(|&&instructions| has(instructions));
        let instructions = chosen.map(|index| &ALL[index]).or_else(fastest);
        Kernel(instructions.copied().unwrap_or(Instructions::Portable))
    }

    /// The kernel of this name: `portable`, `avx2`, `avx512` or `neon`.
    ///
    /// # Errors
    ///
    /// This processor does not have it; the error lists the kernels it has.
    pub fn named(name: &str) -> Result<Kernel> {
        let available = Self::available();
        let named = available.iter().find(|kernel| kernel.to_string() == name);
        named.copied().ok_or_else(|| {
            let names: Vec<_> = available.iter().map(Kernel::to_string).collect();
            Error::parameter("the kernel", name, names.join(", "))
        })
    }

    /// Makes this the kernel of all filters that are created later.
    pub fn choose(self) {
        let index = ALL.iter().position(|&instructions| instructions == self.0);
        CHOSEN.store(index.map_or(0, |index| index + 1), Ordering::Relaxed);
    }

    /// This kernel, or AVX2 in place of AVX-512.
    #[inline]
    pub(crate) fn narrow(self) -> Kernel {
        match self.0 {
            // A processor with AVX-512 also has AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Kernel(Instructions::Avx2),
            _ => self,
        }
    }

    /// Its instructions.
    #[inline]
    pub fn instructions(self) -> Instructions {
        self.0
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => "neon",
        })
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether this processor has these instructions.
fn has(instructions: Instructions) -> bool {
    match instructions {
        Instructions::Portable => true,
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Instructions::Neon => std::arch::is_aarch64_feature_detected!("neon"),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => {
            has(Instructions::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vpopcntdq")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_has_the_portable_kernel_and_names_find_kernels() {
        let available = Kernel::available();
        assert_eq!(available[0].instructions(), Instructions::Portable);
        for kernel in available {
            assert_eq!(
                Kernel::named(&kernel.to_string()).expect("available"),
                kernel
            );
        }
        let error = Kernel::named("abacus").expect_err("no such kernel");
        assert!(error.to_string().contains("portable"), "{error}");
    }
}
