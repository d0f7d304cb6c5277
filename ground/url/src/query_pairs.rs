//! How are names and values added to the query of an address?

use crate::{Url, form_urlencoded};

/// Adds names and values to a query. The fragment is put back when this is dropped.
#[derive(Debug)]
pub struct QueryPairsMut<'a> {
    url: &'a mut Url,
    fragment: String,
}

impl Url {
    /// Adds names and values to the query, which is there from now on, be it empty.
    ///
    /// # Panics
    /// If the address grows beyond 4 GB.
    pub fn query_pairs_mut(&mut self) -> QueryPairsMut<'_> {
        let fragment = self.text.split_off(self.query_end as usize);
        if self.query().is_none() {
            self.text.push('?');
            self.query_end += 1;
        }
        QueryPairsMut { url: self, fragment }
    }
}

impl QueryPairsMut<'_> {
    /// Takes away what the query holds.
    pub fn clear(&mut self) -> &mut Self {
        self.url.text.truncate(self.url.path_end as usize + 1);
        self.url.query_end = self.url.path_end + 1;
        self
    }

    /// Adds a name and its value.
    pub fn append_pair(&mut self, name: &str, value: &str) -> &mut Self {
        form_urlencoded::push_pair(&mut self.url.text, self.url.path_end as usize + 1, name, value);
        self.url.query_end = self.url.text_end();
        self
    }

    /// Adds several of them.
    pub fn extend_pairs<N: AsRef<str>, V: AsRef<str>>(&mut self, pairs: impl IntoIterator<Item = (N, V)>) -> &mut Self {
        for (name, value) in pairs {
            self.append_pair(name.as_ref(), value.as_ref());
        }
        self
    }
}

impl Drop for QueryPairsMut<'_> {
    fn drop(&mut self) {
        self.url.text.push_str(&self.fragment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_added_before_the_fragment() {
        let mut url = Url::parse("http://h/a#f").unwrap();
        url.query_pairs_mut().append_pair("a b", "é").append_pair("c", "");
        assert_eq!(url.as_str(), "http://h/a?a+b=%C3%A9&c=#f");
        assert_eq!((url.query(), url.fragment()), (Some("a+b=%C3%A9&c="), Some("f")));
        url.query_pairs_mut().extend_pairs([("d", "1"), ("e", "2")]);
        assert_eq!(url.query(), Some("a+b=%C3%A9&c=&d=1&e=2"));
        url.query_pairs_mut().clear().append_pair("x", "#");
        assert_eq!(url.as_str(), "http://h/a?x=%23#f");
        url.query_pairs_mut().clear();
        assert_eq!(url.as_str(), "http://h/a?#f");
        assert_eq!(Url::parse(url.as_str()).unwrap().query(), url.query());
    }
}
