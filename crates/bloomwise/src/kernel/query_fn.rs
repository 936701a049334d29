//! The function that looks up one key, chosen once per filter.
//!
//! [`super::run`] finds the form for the kernel at each call. For a query as short as that of a blocked filter, this takes longer than the vector
//! code. A [`QueryFn`] is the address of the form for one kernel. A family can choose it by more than the kernel, such as the number of
//! hash functions.

#![expect(
    unsafe_code,
    reason = "a call of vector code needs proof that the processor has it"
)]

use super::{Portable, Vectors};
use crate::keys::hash::Digest;
use crate::machine::processor::{Instructions, Kernel};
use std::fmt;

/// A way to look up one key in a filter of type `F`, compiled for each kernel.
pub(crate) trait SingleQuery<F> {
    /// Whether two registers of AVX2 are faster than one of AVX-512, as for a single line.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "other machines have no choice")
    )]
    const SHORT_REGISTERS: bool = false;

    /// Whether the key of `digest` may be in the set; always inlined.
    fn query<V: Vectors>(filter: &F, digest: Digest) -> bool;
}

/// The address of a [`SingleQuery`] in the form for one kernel.
pub(crate) struct QueryFn<F>(unsafe fn(&F, Digest) -> bool);

impl<F> QueryFn<F> {
    /// The form of `Q` for this kernel.
    pub(crate) fn new<Q: SingleQuery<F>>(kernel: Kernel) -> Self {
        QueryFn(match kernel.instructions() {
            Instructions::Portable => Q::query::<Portable>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => super::avx2::query::<F, Q>,
            // A processor with AVX-512 has AVX2, too.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 if Q::SHORT_REGISTERS => super::avx2::query::<F, Q>,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => super::avx512::query::<F, Q>,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => super::neon::query::<F, Q>,
        })
    }

    /// Whether the key of `digest` may be in the set.
    #[inline(always)]
    pub(crate) fn call(&self, filter: &F, digest: Digest) -> bool {
        // SAFETY: the function was chosen for a kernel, and a kernel is only made if the processor has its instructions.
        unsafe { (self.0)(filter, digest) }
    }
}

impl<F> Clone for QueryFn<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for QueryFn<F> {}

/// All forms give the same answers.
impl<F> PartialEq for QueryFn<F> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<F> fmt::Debug for QueryFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("QueryFn")
    }
}
