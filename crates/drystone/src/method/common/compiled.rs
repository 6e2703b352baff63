//! Entry points that are compiled once.
//!
//! Methods are generic over the dimension. A crate that calls `ContactDynamics::<D2>::step` would compile everything
//! below it once more, which takes minutes. The calls here end in functions of the plane and of space that are not
//! generic, so that they and all that they call are compiled with this crate alone.

/// Calls `$method::$name` for the plane or for space, as this crate has compiled it.
macro_rules! compiled_once {
    ($method:ident :: $name:ident($self:expr, $world:expr) -> $output:ty) => {{
        use std::any::Any;
        #[inline(never)]
        fn in_the_plane(method: &mut $method<D2>, world: &mut World<D2>) -> $output {
            method.$name(world)
        }
        #[inline(never)]
        fn in_space(method: &mut $method<D3>, world: &mut World<D3>) -> $output {
            method.$name(world)
        }
        let (method, world): (&mut dyn Any, &mut dyn Any) = ($self, $world);
        match method.is::<$method<D2>>() {
            true => in_the_plane(
                method.downcast_mut().expect("it is of the plane"),
                world.downcast_mut().expect("its world is, too"),
            ),
            false => in_space(
                method.downcast_mut().expect("there is no third dimension parameter"),
                world.downcast_mut().expect("its world has the same"),
            ),
        }
    }};
    ($of:ident :: $name:ident($self:expr) -> $output:ty) => {{
        use std::any::Any;
        #[inline(never)]
        fn in_the_plane(of: &mut $of<D2>) -> $output {
            of.$name()
        }
        #[inline(never)]
        fn in_space(of: &mut $of<D3>) -> $output {
            of.$name()
        }
        let of: &mut dyn Any = $self;
        match of.is::<$of<D2>>() {
            true => in_the_plane(of.downcast_mut().expect("it is of the plane")),
            false => in_space(of.downcast_mut().expect("there is no third dimension parameter")),
        }
    }};
}

/// Calls `$function`, which makes a `$output` of a scenario and a folder, for the plane or for space, as this crate has
/// compiled it.
macro_rules! made_once {
    ($function:path, $scenario:expr, $folder:expr) => {{
        use std::any::Any;
        #[inline(never)]
        fn in_the_plane(scenario: &Scenario<D2>, folder: &Path) -> Result<Box<dyn Any>, Mistakes> {
            Ok(Box::new($function(scenario, folder)?))
        }
        #[inline(never)]
        fn in_space(scenario: &Scenario<D3>, folder: &Path) -> Result<Box<dyn Any>, Mistakes> {
            Ok(Box::new($function(scenario, folder)?))
        }
        let scenario: &dyn Any = $scenario;
        let made = match scenario.downcast_ref() {
            Some(of_the_plane) => in_the_plane(of_the_plane, $folder),
            None => in_space(scenario.downcast_ref().expect("there is no third dimension parameter"), $folder),
        };
        Ok(*made?.downcast().expect("it has the dimension of its scenario"))
    }};
}

pub(crate) use compiled_once;
pub(crate) use made_once;
