//! The URLs of a survey in one piece of memory: as many bytes as they have letters, and eight each.

#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where the name of each number ends; it begins where the one before ends.
    ends: Vec<u64>,
}

impl Names {
    /// Puts down the name of a number; numbers come in ascending order, and those left out have none.
    pub(crate) fn push(&mut self, number: u32, name: &str) {
        self.ends.resize(number as usize, self.text.len() as u64);
        self.text.push_str(name);
        self.ends.push(self.text.len() as u64);
    }

    /// Empty if the number has no URL.
    pub fn url(&self, number: u32) -> &str {
        let at = number as usize;
        let Some(&end) = self.ends.get(at) else { return "" };
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_left_out_have_no_name() {
        let mut names = Names::default();
        names.push(1, "one");
        names.push(4, "four");
        assert_eq!([0, 1, 2, 3, 4, 5].map(|n| names.url(n)), ["", "one", "", "", "four", ""]);
    }
}
