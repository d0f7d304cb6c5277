//! What a content stream shows: its text operators (PDF 32000-1, 9.3 and 9.4), the places they put glyphs at, and the forms
//! they bring in.
//!
//! Bounded: forms within forms go `FORMS` deep, and a document may spend `WORK` tokens in all, so that forms that bring each
//! other in end. Graphics are passed over.

use std::collections::HashMap;
use std::rc::Rc;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::flow::{Flow, Place};
use super::font::Font;
use super::lex::{Lexer, Token};
use super::links::Rectangles;
use super::matrix::Matrix;
use super::objects::{self, resolved};

/// Depth of forms within forms.
const FORMS: usize = 12;
/// Tokens read of one document: a few seconds. There are honest ones that set the color twenty million times.
const WORK: u64 = 120_000_000;
/// Saved states at once.
const STATES: usize = 512;

/// Paints the pages of a document.
pub(super) struct Painter<'d> {
    document: &'d Document,
    fonts: HashMap<ObjectId, Rc<Font>>,
    pub(super) flow: Flow,
    pub(super) rectangles: Rectangles,
    work: u64,
    most: usize,
    /// Bytes a stream may unpack to, and how many streams held more: their text is lost.
    pub(super) unpacked: usize,
    pub(super) lost: u64,
    /// Glyphs with a text, and those of which nobody knows what they stand for.
    pub(super) told: u64,
    pub(super) silent: u64,
}

/// The part of the graphics state that places text.
#[derive(Clone)]
struct State {
    place: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    character: f64,
    word: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

/// The text object that is open.
#[derive(Clone, Copy)]
struct Cursor {
    line: Matrix,
    text: Matrix,
}

impl<'d> Painter<'d> {
    /// Paints up to so many bytes of text, out of streams that unpack to so many bytes at most.
    pub(super) fn new(document: &'d Document, most: usize, unpacked: usize) -> Painter<'d> {
        let (flow, rectangles) = (Flow::default(), Rectangles::default());
        let (fonts, work) = (HashMap::new(), WORK);
        Painter { document, fonts, flow, rectangles, work, most, unpacked, lost: 0, told: 0, silent: 0 }
    }

    /// Is there no room for more?
    pub(super) fn is_full(&self) -> bool {
        self.flow.len() >= self.most || self.is_tired()
    }

    /// Was there more to do than a document may ask for?
    pub(super) fn is_tired(&self) -> bool {
        self.work == 0
    }

    /// Paints a stream with its resources.
    pub(super) fn paint(&mut self, content: &[u8], resources: Option<&'d Dictionary>) {
        let state = State {
            place: Matrix::SAME,
            font: None,
            size: 0.0,
            character: 0.0,
            word: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        self.stream(content, resources, state, 0);
    }

    fn stream(&mut self, content: &[u8], resources: Option<&'d Dictionary>, mut state: State, depth: usize) {
        let mut saved: Vec<State> = Vec::new();
        let mut cursor = Cursor { line: Matrix::SAME, text: Matrix::SAME };
        let mut operands: Vec<Token<'_>> = Vec::new();
        let mut lexer = Lexer::new(content);
        while let Some(token) = lexer.next() {
            self.work = self.work.saturating_sub(1);
            if self.is_full() {
                return;
            }
            let Token::Word(operator) = token else {
                operands.push(token);
                continue;
            };
            match operator {
                b"q" if saved.len() < STATES => saved.push(state.clone()),
                b"Q" => state = saved.pop().unwrap_or(state),
                b"cm" => {
                    if let Some(matrix) = matrix(&operands) {
                        state.place = matrix.then(state.place);
                    }
                }
                b"BI" => lexer.skip_picture(),
                b"Do" => {
                    if let Some(Token::Name(name)) = operands.last() {
                        self.form(name, resources, &state, depth);
                    }
                }
                b"Tf" => {
                    if let [.., Token::Name(name), Token::Number(size)] = operands.as_slice() {
                        (state.font, state.size) = (self.font(resources, name), *size);
                    }
                }
                b"BT" => cursor = Cursor { line: Matrix::SAME, text: Matrix::SAME },
                b"TJ" | b"Tj" | b"'" | b"\"" => self.show(operator, &operands, &mut state, &mut cursor),
                _ => set(operator, &operands, &mut state, &mut cursor),
            }
            operands.clear();
        }
    }

    /// Shows strings: `[(A) 120 (B)] TJ`, and the others that put a line feed or spacings in front.
    fn show(&mut self, operator: &[u8], operands: &[Token<'_>], state: &mut State, cursor: &mut Cursor) {
        if operator == b"\""
            && let [Token::Number(word), Token::Number(character), ..] = operands
        {
            (state.word, state.character) = (*word, *character);
        }
        if matches!(operator, b"'" | b"\"") {
            next_line(cursor, 0.0, -state.leading);
        }
        let Some(font) = state.font.clone() else { return };
        for operand in operands {
            match operand {
                Token::Text(string) => self.string(string, &font, state, cursor),
                Token::Number(back) if operator == b"TJ" => {
                    let shift = -back / 1000.0 * state.size;
                    let (x, y) = if font.vertical { (0.0, shift) } else { (shift * state.scale, 0.0) };
                    cursor.text = Matrix::shift(x, y).then(cursor.text);
                }
                _ => {}
            }
        }
    }

    fn string(&mut self, string: &[u8], font: &Font, state: &State, cursor: &mut Cursor) {
        let (flow, rectangles) = (&mut self.flow, &mut self.rectangles);
        let (told, silent) = (&mut self.told, &mut self.silent);
        font.show(string, |shown| {
            *if shown.text.is_empty() { &mut *silent } else { &mut *told } += 1;
            let spacing = state.character + if shown.is_space { state.word } else { 0.0 };
            let whole = cursor.text.then(state.place);
            let shape = Matrix([state.size * state.scale, 0.0, 0.0, state.size, 0.0, state.rise]).then(whole);
            let advance = if font.vertical {
                (0.0, -state.size + spacing)
            } else {
                ((shown.width * state.size + spacing) * state.scale, 0.0)
            };
            let from = shape.point(0.0, 0.0);
            let to = whole.point(advance.0, advance.1 + state.rise);
            let size = shape.height() * font.height;
            if !shown.text.is_empty() && size.is_finite() && from.0.is_finite() && from.1.is_finite() {
                let place = Place { from, to, size };
                let gap = flow.glyph(&shown.text, place);
                rectangles.glyph(&shown.text, place, gap);
            }
            cursor.text = Matrix::shift(advance.0, advance.1).then(cursor.text);
        });
    }

    fn font(&mut self, resources: Option<&'d Dictionary>, name: &[u8]) -> Option<Rc<Font>> {
        let fonts = objects::dictionary(self.document, resources?, b"Font")?;
        let object = fonts.get(name).ok()?;
        let id = object.as_reference().ok();
        if let Some(known) = id.and_then(|id| self.fonts.get(&id)) {
            return Some(Rc::clone(known));
        }
        let font = Rc::new(Font::read(self.document, resolved(self.document, object).as_dict().ok()?));
        // Reading a font is work too.
        self.work = self.work.saturating_sub(1_000);
        if let Some(id) = id {
            self.fonts.insert(id, Rc::clone(&font));
        }
        Some(font)
    }

    fn form(&mut self, name: &[u8], resources: Option<&'d Dictionary>, state: &State, depth: usize) {
        let objects = resources.and_then(|it| objects::dictionary(self.document, it, b"XObject"));
        let Some(Object::Stream(form)) = objects.and_then(|it| objects::get(self.document, it, name)) else { return };
        if depth >= FORMS || objects::name(self.document, &form.dict, b"Subtype") != Some(b"Form") {
            return;
        }
        let Ok(content) = objects::painted(form, self.unpacked) else {
            self.lost += 1;
            return;
        };
        self.work = self.work.saturating_sub(content.len() as u64 / 64);
        let mut inner = state.clone();
        if let Ok(numbers) = <[f64; 6]>::try_from(objects::numbers(self.document, &form.dict, b"Matrix")) {
            inner.place = Matrix(numbers).then(inner.place);
        }
        let own = objects::dictionary(self.document, &form.dict, b"Resources").or(resources);
        self.stream(&content, own, inner, depth + 1);
    }
}

fn next_line(cursor: &mut Cursor, x: f64, y: f64) {
    cursor.line = Matrix::shift(x, y).then(cursor.line);
    cursor.text = cursor.line;
}

fn matrix(operands: &[Token<'_>]) -> Option<Matrix> {
    let mut numbers = [0.0; 6];
    for (place, operand) in numbers.iter_mut().zip(operands.get(operands.len().checked_sub(6)?..)?) {
        let Token::Number(number) = operand else { return None };
        *place = *number;
    }
    Some(Matrix(numbers))
}

/// Operators that change the state of text.
fn set(operator: &[u8], operands: &[Token<'_>], state: &mut State, cursor: &mut Cursor) {
    let number = |from_end: usize| match operands.len().checked_sub(from_end).and_then(|at| operands.get(at)) {
        Some(Token::Number(number)) => Some(*number),
        _ => None,
    };
    let Some(last) = number(1) else {
        if operator == b"T*" {
            next_line(cursor, 0.0, -state.leading);
        }
        return;
    };
    match operator {
        b"Tc" => state.character = last,
        b"Tw" => state.word = last,
        b"Tz" => state.scale = last / 100.0,
        b"TL" => state.leading = last,
        b"Ts" => state.rise = last,
        b"Td" => next_line(cursor, number(2).unwrap_or(0.0), last),
        b"TD" => {
            state.leading = -last;
            next_line(cursor, number(2).unwrap_or(0.0), last);
        }
        b"T*" => next_line(cursor, 0.0, -state.leading),
        b"Tm" => {
            if let Some(matrix) = matrix(operands) {
                *cursor = Cursor { line: matrix, text: matrix };
            }
        }
        _ => {}
    }
}
