//! Keys in numpy arrays: the only file with `unsafe`.
//!
//! An array is a pointer, a length and a step, which may be negative. Elements are read where they are, without asking for their alignment.
//! While a call reads an array, no other thread may write to it; numpy's own functions ask for the same.

use super::Visitor;
use crate::key::type_name;
use arrow_buffer::NullBuffer;
use bloomwise::Key;
use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The elements of an array of one dimension.
pub struct Column {
    /// Keeps the memory alive.
    _array: Py<PyUntypedArray>,
    /// The first element.
    data: *const u8,
    /// The number of elements.
    len: usize,
    /// The bytes from one element to the next.
    step: isize,
    /// What an element is.
    item: Item,
    /// The masked elements, if it is a masked array.
    nulls: Option<NullBuffer>,
}

/// What an element is, and how many bytes it has.
#[derive(Clone, Copy)]
enum Item {
    Unsigned(usize),
    Signed(usize),
    /// Bytes, padded with zeros.
    Bytes(usize),
    /// Characters of four bytes, padded with zeros.
    Text(usize),
    /// Bytes without padding.
    Raw(usize),
}

// SAFETY: the pointer belongs to the array, which `_array` keeps alive. Elements are only read, and a `Column` has no other state.
#[expect(unsafe_code, reason = "a raw pointer is not Send by itself")]
unsafe impl Send for Column {}

impl Column {
    /// The elements of a numpy array; `None` if they are Python objects.
    ///
    /// # Errors
    ///
    /// The array does not have one dimension, or its elements are no keys.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            let name = type_name(object);
            return Err(PyTypeError::new_err(format!(
                "a key is a str, bytes or int, not {name}; convert it first"
            )));
        };
        if array.ndim() != 1 {
            return Err(PyValueError::new_err(format!(
                "the array of keys has {} dimensions; give one, as with keys.ravel()",
                array.ndim()
            )));
        }
        let dtype = array.dtype();
        if !dtype.is_native_byteorder().unwrap_or(true) {
            let native = dtype.call_method1("newbyteorder", ("=",))?;
            return Self::of(&array.call_method1("astype", (native,))?);
        }
        let width = dtype.itemsize();
        let item = match dtype.kind() {
            b'u' => Item::Unsigned(width),
            b'i' => Item::Signed(width),
            b'S' => Item::Bytes(width),
            b'U' => Item::Text(width),
            b'V' if !dtype.has_fields() => Item::Raw(width),
            b'O' | b'T' => return Ok(None),
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "keys cannot be of the numpy type {dtype}; convert them to integers, strings or bytes"
                )));
            }
        };
        // SAFETY: the object is an array, so its C structure can be read.
        #[expect(unsafe_code, reason = "numpy has no safe way to this pointer")]
        let data = unsafe { (*array.as_array_ptr()).fields.data }.cast::<u8>();
        Ok(Some(Column {
            data,
            len: array.len(),
            step: array.strides()[0],
            item,
            nulls: masked(object)?,
            _array: array.clone().unbind(),
        }))
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Which elements are masked, if the array has a mask.
    pub fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    /// Passes on the elements.
    ///
    /// # Errors
    ///
    /// A string has a character that does not exist.
    pub fn visit(&self, visitor: &mut impl Visitor) -> PyResult<()> {
        match self.item {
            Item::Unsigned(1) => self.integers::<u8>(visitor),
            Item::Unsigned(2) => self.integers::<u16>(visitor),
            Item::Unsigned(4) => self.integers::<u32>(visitor),
            Item::Unsigned(_) => self.integers::<u64>(visitor),
            Item::Signed(1) => self.integers::<i8>(visitor),
            Item::Signed(2) => self.integers::<i16>(visitor),
            Item::Signed(4) => self.integers::<i32>(visitor),
            Item::Signed(_) => self.integers::<i64>(visitor),
            Item::Raw(width) => self.each(visitor, |visitor, place| {
                visitor.key(self.bytes(place, width));
            }),
            Item::Bytes(width) => self.each(visitor, |visitor, place| {
                let bytes = self.bytes(place, width);
                let len = width - bytes.iter().rev().take_while(|&&byte| byte == 0).count();
                visitor.key(&bytes[..len]);
            }),
            Item::Text(width) => return self.text(width, visitor),
        }
        Ok(())
    }

    /// Passes on integers of the type that the array has.
    fn integers<T: Key + Integer>(&self, visitor: &mut impl Visitor) {
        match self.nulls {
            None => visitor.keys((0..self.len).map(|place| self.element::<T>(place))),
            Some(_) => self.each(visitor, |visitor, place| {
                visitor.key(self.element::<T>(place));
            }),
        }
    }

    /// Passes on text as UTF-8.
    fn text(&self, width: usize, visitor: &mut impl Visitor) -> PyResult<()> {
        let (mut text, mut wrong) = (String::new(), None);
        self.each(visitor, |visitor, place| {
            text.clear();
            let (characters, _) = self.bytes(place, width).as_chunks::<4>();
            #[expect(clippy::host_endian_bytes, reason = "the array is in native order")]
            let codes = characters.iter().map(|&bytes| u32::from_ne_bytes(bytes));
            let mut end = 0;
            for code in codes {
                match char::from_u32(code) {
                    Some(character) => text.push(character),
                    None => wrong = wrong.or(Some((place, code))),
                }
                if code != 0 {
                    end = text.len();
                }
            }
            visitor.key(&text[..end]);
        });
        match wrong {
            None => Ok(()),
            Some((place, code)) => Err(PyValueError::new_err(format!(
                "the key at place {place} has the character U+{code:04X}, which UTF-8 cannot hold; encode it first"
            ))),
        }
    }

    /// Calls `act` for each element that is not masked.
    fn each<V: Visitor>(&self, visitor: &mut V, mut act: impl FnMut(&mut V, usize)) {
        match &self.nulls {
            None => (0..self.len).for_each(|place| act(visitor, place)),
            Some(nulls) => {
                for (place, valid) in nulls.iter().enumerate() {
                    match valid {
                        true => act(visitor, place),
                        false => visitor.null(),
                    }
                }
            }
        }
    }

    /// The integer at a place.
    #[inline(always)]
    #[expect(unsafe_code, reason = "elements have a step that no slice has")]
    fn element<T: Integer>(&self, place: usize) -> T {
        debug_assert!(place < self.len);
        // SAFETY: numpy allocates `len` elements, each `step` bytes after the one before; `visit` asks for places below `len` and for the type of the
        // array. All bit patterns of an integer are valid.
        unsafe {
            self.data
                .offset(place as isize * self.step)
                .cast::<T>()
                .read_unaligned()
        }
    }

    /// The bytes of the element at a place.
    #[expect(unsafe_code, reason = "elements have a step that no slice has")]
    fn bytes(&self, place: usize, width: usize) -> &[u8] {
        debug_assert!(place < self.len);
        // SAFETY: numpy allocates `len` elements of `width` bytes, each `step` bytes after the one before; `visit` asks for places below `len`.
        unsafe { std::slice::from_raw_parts(self.data.offset(place as isize * self.step), width) }
    }
}

/// Integers that an array can hold: every pattern of bits is one.
trait Integer: Copy {}

impl Integer for u8 {}
impl Integer for u16 {}
impl Integer for u32 {}
impl Integer for u64 {}
impl Integer for i8 {}
impl Integer for i16 {}
impl Integer for i32 {}
impl Integer for i64 {}

/// The masked elements of a masked array.
fn masked(array: &Bound<'_, PyAny>) -> PyResult<Option<NullBuffer>> {
    if !array.hasattr("mask")? {
        return Ok(None);
    }
    let masks = array.py().import("numpy.ma")?;
    let mask = masks.call_method1("getmaskarray", (array,))?;
    let mask = mask.cast::<PyArray1<bool>>()?.try_readonly()?;
    let mask = mask.as_array();
    Ok(Some(mask.iter().map(|&masked| !masked).collect()))
}
