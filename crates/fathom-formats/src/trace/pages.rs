//! The pages of a column, checked for what the Parquet reader takes for granted and panics without.

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// The pages of a column in one row group.
pub(super) struct Pages {
    pages: Box<dyn PageReader>,
    has_dictionary: bool,
}

impl Pages {
    pub(super) fn of(pages: Box<dyn PageReader>) -> Pages {
        Pages { pages, has_dictionary: false }
    }

    fn checked(&mut self, page: Page) -> Result<Page> {
        let uses_dictionary =
            matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if !page.is_data_page() {
            self.has_dictionary = true;
        } else if uses_dictionary && !self.has_dictionary {
            return Err(ParquetError::General("a dictionary is missing".to_string()));
        }
        Ok(page)
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        match self.pages.get_next_page()? {
            Some(page) => self.checked(page).map(Some),
            None => Ok(None),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
