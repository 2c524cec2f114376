//! Comma-separated values for programs.

use fathom_record::foreign_text::guarded;

/// A line per record; fields that would be misread are quoted, as RFC 4180 says, and those that a
/// spreadsheet would compute get an apostrophe.
pub(crate) fn csv(records: &[Vec<String>]) -> String {
    let mut text = String::new();
    for record in records {
        // A record of one empty field would read as no record at all.
        let is_blank = matches!(record.as_slice(), [field] if field.is_empty());
        let fields: Vec<String> = record.iter().map(|field| quoted(field, is_blank)).collect();
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

fn quoted(field: &str, always: bool) -> String {
    let field = guarded(field);
    if always || field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_record::foreign_text::unguarded;
    use proptest::prelude::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        let records = [vec!["a,b".to_string(), "c \"d\"".to_string(), "e f".to_string()]];
        assert_eq!(csv(&records), "\"a,b\",\"c \"\"d\"\"\",e f\n");
        assert_eq!(csv(&[vec![String::new()]]), "\"\"\n");
    }

    #[test]
    fn formulas_get_an_apostrophe_and_numbers_do_not() {
        let records =
            [vec!["=HYPERLINK(\"x\",\"y\")".to_string(), "@a".to_string(), "-5".to_string()]];
        assert_eq!(csv(&records), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\",'@a,-5\n");
    }

    proptest! {
        #[test]
        fn a_reader_of_others_reads_it_back(
            records in (1_usize..4).prop_flat_map(|columns| {
                let field = "[a=',\"\n\r é-]{0,4}";
                proptest::collection::vec(proptest::collection::vec(field, columns), 1..5)
            })
        ) {
            let text = csv(&records);
            let mut reader =
                ::csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let read: Vec<Vec<String>> = reader
                .records()
                .map(|record| {
                    record.unwrap().iter().map(|field| unguarded(field).to_string()).collect()
                })
                .collect();
            prop_assert_eq!(read, records);
        }
    }
}
