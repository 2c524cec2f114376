//! The instances of a generic function: one for each type, for each constant, or for each pair.

use crate::bench_plan::BenchPlan;
use crate::generics::{Generic, GenericKind};
use crate::template::{Filling, as_ours, braced};
use crate::tokens::is_punct;
use proc_macro::{LexError, Punct, Spacing, TokenStream, TokenTree};

impl BenchPlan {
    /// The name of what is added: in the group of a generic function, that of the instance.
    pub(crate) fn case(&self) -> &'static str {
        let has = |kind| self.generics(kind).next().is_some();
        let is_compared = self.arguments.compare.is_some();
        match (has(GenericKind::Type), has(GenericKind::Const), is_compared) {
            (false, false, _) => "$name",
            (true, false, false) => "$krate::type_name::<$type>()",
            (false, true, false) => "::std::format!(\"{}\", $const)",
            (true, true, false) => {
                "::std::format!(\"{}/{}\", $krate::type_name::<$type>(), $const)"
            }
            (true, false, true) => "::std::format!(\"{}/{}\", $name, $krate::type_name::<$type>())",
            (false, true, true) => "::std::format!(\"{}/{}\", $name, $const)",
            (true, true, true) => {
                "::std::format!(\"{}/{}/{}\", $name, $krate::type_name::<$type>(), $const)"
            }
        }
    }

    /// Whether the function represents several.
    pub(crate) fn is_generic(&self) -> bool {
        self.filled_generics().next().is_some()
    }

    /// The generic parameters that a list fills, in their order.
    fn filled_generics(&self) -> impl Iterator<Item = &Generic> {
        self.signature.generics.iter().filter(|generic| generic.kind != GenericKind::Lifetime)
    }

    /// The function; of a generic one, the instance of the parameters around it.
    pub(crate) fn function(&self) -> Result<TokenStream, LexError> {
        let mut filling = Filling::default();
        filling.set("name", TokenTree::from(self.signature.name.clone()));
        let names =
            self.filled_generics().flat_map(|generic| [generic.name.clone().into(), comma()]);
        filling.set("names", names.collect::<TokenStream>());
        filling.fill(if self.is_generic() { "$name::<$names>" } else { "$name" })
    }

    /// The values of the parameters in each instance, in the order of the lists.
    pub(crate) fn instances(&self) -> Vec<TokenStream> {
        let mut instances = vec![TokenStream::new()];
        for generic in self.filled_generics() {
            let items = self.list(generic.kind).map_or([].as_slice(), |list| &list.items);
            let longer = instances.iter().flat_map(|instance| {
                items.iter().map(|item| {
                    let mut longer = instance.clone();
                    match generic.kind {
                        GenericKind::Const => longer.extend([braced(item)]),
                        _ => longer.extend(item.iter().cloned()),
                    }
                    longer.extend([comma()]);
                    longer
                })
            });
            instances = longer.collect();
        }
        instances
    }

    /// The function's generic parameters for a function next to it, without the bounds of types.
    pub(crate) fn copied_generics(&self) -> TokenStream {
        let mut copied = TokenStream::new();
        for generic in &self.signature.generics {
            match generic.kind {
                GenericKind::Lifetime if !self.bounds_have_lifetimes() => continue,
                GenericKind::Type => copied.extend([TokenTree::from(generic.name.clone())]),
                _ => copied.extend(generic.tokens.iter().cloned()),
            }
            copied.extend([comma()]);
        }
        as_ours(copied)
    }

    /// The conditions on them, from `where` on, all in one place. A suite keeps what it is given, so
    /// types must not borrow.
    pub(crate) fn copied_conditions(&self) -> Result<TokenStream, LexError> {
        let mut filling = Filling::default();
        let mut conditions = filling.fill("where")?;
        for generic in self.generics(GenericKind::Type) {
            filling.set("type", TokenTree::from(generic.name.clone()));
            filling.set("bounds", generic.bounds.iter().cloned().collect::<TokenStream>());
            conditions.extend(filling.fill("$type: 'static + $bounds,")?);
        }
        conditions.extend(self.signature.conditions.iter().skip(1).cloned());
        Ok(as_ours(conditions))
    }

    fn bounds_have_lifetimes(&self) -> bool {
        let bounds = self.filled_generics().flat_map(|generic| &generic.bounds);
        bounds.chain(&self.signature.conditions).any(|token| is_punct(Some(token), '\''))
    }
}

fn comma() -> TokenTree {
    Punct::new(',', Spacing::Alone).into()
}
