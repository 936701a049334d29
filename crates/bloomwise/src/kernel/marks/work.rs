//! Code on blocks, compiled for each kernel and each form of blocks.

use super::Marks;
use super::blocks::{Blocks, Form, HalfLines, Lines, OneRow, Simple};
use crate::kernel::{self, QueryFn, SingleQuery, Vectors, Work};
use crate::keys::hash::Digest;
use crate::machine::processor::Kernel;
use std::marker::PhantomData;

/// Something that is done on blocks. It and its argument are two values for the same reason as those of a [`Work`].
pub(crate) trait BlockWork {
    /// What it takes.
    type Argument;

    /// What it returns.
    type Output;

    /// Does it; always inlined.
    fn run<V: Vectors, B: Blocks>(self, argument: Self::Argument) -> Self::Output;
}

/// A way to look up one key in a filter of type `F`.
pub(crate) trait BlockQuery<F> {
    /// Whether the key of `digest` may be in the set; always inlined.
    fn query<V: Vectors, B: Blocks>(filter: &F, digest: Digest) -> bool;
}

impl Marks {
    /// Does the work in the form for this kernel and these marks.
    pub(crate) fn run<W: BlockWork>(
        &self,
        kernel: Kernel,
        work: W,
        argument: W::Argument,
    ) -> W::Output {
        match self.form() {
            Form::Simple => kernel::run(kernel, InForm(work, PhantomData::<Simple>), argument),
            Form::OneRow => kernel::run(kernel, InForm(work, PhantomData::<OneRow>), argument),
            Form::Lines => kernel::run(kernel, InForm(work, PhantomData::<Lines>), argument),
            Form::HalfLines => {
                kernel::run(kernel, InForm(work, PhantomData::<HalfLines>), argument)
            }
        }
    }

    /// `Q` in the form for this kernel and these marks.
    pub(crate) fn query_fn<F, Q: BlockQuery<F>>(&self, kernel: Kernel) -> QueryFn<F> {
        match self.form() {
            Form::Simple => QueryFn::new::<InForm<Q, Simple>>(kernel),
            Form::OneRow => QueryFn::new::<InForm<Q, OneRow>>(kernel),
            Form::Lines => QueryFn::new::<InForm<Q, Lines>>(kernel),
            Form::HalfLines => QueryFn::new::<InForm<Q, HalfLines>>(kernel),
        }
    }
}

/// Work or a query in the form for these blocks.
struct InForm<W, B>(W, PhantomData<B>);

impl<W: BlockWork, B: Blocks> Work for InForm<W, B> {
    type Argument = W::Argument;
    type Output = W::Output;

    #[inline(always)]
    fn run<V: Vectors>(self, argument: W::Argument) -> W::Output {
        self.0.run::<V, B>(argument)
    }
}

impl<F, Q: BlockQuery<F>, B: Blocks> SingleQuery<F> for InForm<Q, B> {
    const SHORT_REGISTERS: bool = true;

    #[inline(always)]
    fn query<V: Vectors>(filter: &F, digest: Digest) -> bool {
        Q::query::<V, B>(filter, digest)
    }
}
