//! A question to a filter as one function, chosen once.
//!
//! [`super::run`] finds the form for the kernel at each call. That takes longer than the vector code itself where a question is as short as
//! "are these bits set?". An [`Asker`] is the address of the form for one kernel, and for whatever else about the filter is known when it is made.

#![expect(
    unsafe_code,
    reason = "a call of vector code needs proof that the processor has it"
)]

use super::{Portable, Vectors};
use crate::processor::{Instructions, Kernel};
use std::fmt;

/// A question to a `T`, compiled for each kernel.
pub(crate) trait Ask<T> {
    /// Whether two registers of AVX2 are faster than one of AVX-512, as for a single line.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "other machines have no choice")
    )]
    const SHORT_REGISTERS: bool = false;

    /// What is asked about.
    type Argument;

    /// What the answer is.
    type Output;

    /// Answers; always inlined.
    fn ask<V: Vectors>(about: &T, argument: Self::Argument) -> Self::Output;
}

/// A question in the form for one kernel.
pub(crate) struct Asker<T, A, O>(unsafe fn(&T, A) -> O);

impl<T, A, O> Asker<T, A, O> {
    /// The form of `Q` for this kernel.
    pub(crate) fn new<Q: Ask<T, Argument = A, Output = O>>(kernel: Kernel) -> Self {
        Asker(match kernel.instructions() {
            Instructions::Portable => portable::<T, Q>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::ask::<T, Q>,
            // A processor with AVX-512 has AVX2, too.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 if Q::SHORT_REGISTERS => super::avx2::ask::<T, Q>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => super::avx512::ask::<T, Q>,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => super::neon::ask::<T, Q>,
        })
    }

    /// Asks.
    #[inline(always)]
    pub(crate) fn ask(&self, about: &T, argument: A) -> O {
        // SAFETY: the function was chosen for a kernel, and a kernel is only made if the processor has its instructions.
        unsafe { (self.0)(about, argument) }
    }
}

/// The form for every machine.
fn portable<T, Q: Ask<T>>(about: &T, argument: Q::Argument) -> Q::Output {
    Q::ask::<Portable>(about, argument)
}

impl<T, A, O> Clone for Asker<T, A, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, A, O> Copy for Asker<T, A, O> {}

/// All forms give the same answers.
impl<T, A, O> PartialEq for Asker<T, A, O> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T, A, O> fmt::Debug for Asker<T, A, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asker")
    }
}
