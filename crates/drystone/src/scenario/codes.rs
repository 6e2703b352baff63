//! Codes of mistakes, errors and warnings, each with an explanation for `drystone explain`.

/// A code with its title and explanation.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// The code.
    pub code: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What it means and what to do.
    pub text: &'static str,
}

/// All codes: E0 scenario, E1 files, E2 steps, W10 monitors of soft grains, W11 warnings about a scenario, W13 of
/// static friction, W2 about a run.
pub const CODES: &[Code] = &[
    Code {
        code: "E001",
        title: "the file is not TOML",
        text: "A scenario is a TOML file: `key = value` lines, tables in [brackets], lists of tables in [[double brackets]], strings in quotes. The message says what the parser expected at that place.",
    },
    Code {
        code: "E002",
        title: "unknown key",
        text: "Keys that drystone does not know are refused, because a misspelt key would otherwise be ignored in silence. The help names the nearest known key; `drystone schema` lists all.",
    },
    Code {
        code: "E003",
        title: "wrong type",
        text: "The key takes another kind of value: a number instead of a string, a list instead of a table. The help shows what to write.",
    },
    Code {
        code: "E004",
        title: "wrong unit",
        text: "A bare number is SI; a string carries a number and a unit, such as \"0.5 mm\" or \"2650 kg/m3\", or an expression. The result must have the dimension that the key takes, and in an expression sums and functions must have dimensions that fit; the message names both.",
    },
    Code {
        code: "E005",
        title: "missing key",
        text: "There are no silent physical defaults: what decides the physics must be written down.",
    },
    Code {
        code: "E006",
        title: "unknown name",
        text: "A name refers to a material, wall, kind, measure or parameter that does not exist. The help names the nearest known one.",
    },
    Code {
        code: "E007",
        title: "value out of range",
        text: "Radii, densities, masses, times are more than zero; friction is from 0 to 1e8, and not larger while a contact slides; restitution is from 0 to 1 (tangential: from -1 to 1); directions have a length.",
    },
    Code {
        code: "E008",
        title: "grains overlap at the start",
        text: "Rigid grains do not overlap. Contact Dynamics does not push overlaps out (that would pump energy into the system), so a start with overlaps keeps them. Move the grains, or, for a packing that comes from soft grains, accept a stated overlap: `overlap = 0.01` in [[grains]], a ratio to the smaller radius.",
    },
    Code {
        code: "E009",
        title: "a grain reaches into a wall at the start",
        text: "Grains start on the free side of every wall: the side that the normal of a plane points to, the inside of a box.",
    },
    Code {
        code: "E010",
        title: "a file cannot be read",
        text: "The file does not exist or is not a table of numbers. Paths are relative to the folder of the scenario. A CSV file may have one header line; every row has the same number of columns. The header of a file of grains names its columns: x, y, radius, vx, vy, spin ..., with units in brackets if they are not SI.",
    },
    Code {
        code: "E011",
        title: "the grains do not fit",
        text: "Random placing without overlap reaches a solid fraction of about 0.5 in 2D and 0.35 in 3D; beyond that take a larger region and let the grains fall, or use a lattice.",
    },
    Code {
        code: "E013",
        title: "no law for a pair of materials",
        text: "Every pair of materials whose grains and walls can meet needs a [[contact]] with their laws. One with between = \"any\" holds for all pairs that have none of their own.",
    },
    Code {
        code: "E014",
        title: "given twice",
        text: "Two materials, walls or groups of grains and blocks have one name, or a pair of materials has two laws.",
    },
    Code {
        code: "E015",
        title: "contradiction",
        text: "Keys that exclude or need each other: `count` and `fraction`, a disk in three dimensions, torsion in two, a run that nothing ends, a force on a wall without a mass, an accelerator beside a fixed number of sweeps, cohesion with the solver \"newton\", cohesion or rolling friction on the bumps of a piston, a load on a grain that is held, velocities in a file and in its group.",
    },
    Code {
        code: "E016",
        title: "wrong number of components",
        text: "Vectors have as many components as the scenario has dimensions; pairs have two.",
    },
    Code {
        code: "E017",
        title: "a setting of the command line is wrong",
        text: "`--set key=value` takes a dotted path to a key, such as method.cd.time_step or grains.0.count, or the name of a parameter, and a TOML value; text that is no TOML value is taken as a string. A parameter that no value is computed from cannot be set.",
    },
    Code {
        code: "E018",
        title: "a pair without a soft law",
        text: "Soft particles need to know how a pair of materials resists overlap: [contact.md] below its [[contact]], with `normal` and, for friction, `tangential`. `drystone list` shows all laws. Friction, restitution, rolling and cohesion are taken from the [[contact]] itself.",
    },
    Code {
        code: "E019",
        title: "infinite damping",
        text: "Soft grains that do not rebound at all need infinite damping, and infinitely short steps. Write a restitution of 0.1 or more in `normal` of [contact.md], or its damping coefficient. If neither is written, the restitution of the [[contact]] is used, which is 0 if it is left out.",
    },
    Code {
        code: "E020",
        title: "a law that soft grains do not have",
        text: "Cohesion at zero distance (`zero_range`) is a law of rigid grains: a force that acts over zero distance does no work, and cannot be a spring. Soft grains would ignore it. Give the cohesion a range or an energy, or write an `attraction` in [contact.md].",
    },
    Code {
        code: "E021",
        title: "corners that do not form a convex polygon",
        text: "A stone of the plane is a convex polygon with its corners listed counter-clockwise: every turn is to the left, and all of them together are one turn. Corners that are the same point, or that lie on the line through their neighbours, are refused, because their edge has no normal of its own. Build bodies that are not convex from several convex ones.",
    },
    Code {
        code: "E022",
        title: "stones do not have this",
        text: "Bodies with flat faces touch in several points, whose positions resist rolling and torsion without a law for it. Cohesion and soft contacts exist for round grains only. Stones need Contact Dynamics, with friction and restitution.",
    },
    Code {
        code: "E023",
        title: "a link that does not fit its ends",
        text: "A rod, joint or spring connects two grains, or a grain and a fixed point in space. What is written must fit the start: a rod is as long as its ends are apart, a point lies on its circle. Leave the length out to take it from the start.",
    },
    Code {
        code: "E024",
        title: "a link that the method does not have",
        text: "Rods, joints ([[constraint]]) and springs ([[spring]]) are part of differential-algebraic mechanics: use = \"dae\" in [method], or --method dae. Contact Dynamics and soft-particle molecular dynamics have contacts only.",
    },
    Code {
        code: "E025",
        title: "points that do not form a convex polyhedron",
        text: "In 3D a stone is the convex hull of its points. It needs four different points that do not all lie in one plane, up to the rounding of their coordinates. If rounding decides whether a point is a corner or lies in a face of others, leave it out. Bodies that are not convex are built of several convex ones.",
    },
    Code {
        code: "E026",
        title: "a file that is not a mesh",
        text: "A stone can be the hull of the points of an OBJ file (lines `v x y z`) or an STL file (text with `vertex x y z`, or binary), and a wall its triangles (lines `f 1 2 3` in an OBJ file). The message names the line. Normals and colours of the file do not matter.",
    },
    Code {
        code: "E027",
        title: "balls that do not form a clump",
        text: "A clump is one body of disks or spheres that overlap or touch, directly or through others: each has a radius above zero, and none lies inside another one. Centres have as many lengths as the scenario has dimensions; there is one radius for each, or one for all. The ratios of dimers, tetramers and capsules have bounds: beyond them their balls do not touch, or only one is left.",
    },
    Code {
        code: "E028",
        title: "a capsule at a kind of wall that does not take it",
        text: "Capsules touch planes, boxes and the inside of cylinders with their ends, and the edges and corners of meshes between them; under Contact Dynamics also the points of lines and polygons and the outside of cylinders. Turned profiles, and for soft capsules lines, polygons and the outside of cylinders, too, would touch them between their ends, which is not implemented. Clumps touch all walls; a grain with fixed = true can stand for a polygon.",
    },
    Code {
        code: "E031",
        title: "something that cannot change during a run",
        text: "A stage can `set` gravity, laws of contacts and parameters of the method. Grains, walls and materials cannot change; walls are moved by `drive`. The method and its internal variables cannot change either: a new run with another method can start where this one ends, with --from.",
    },
    Code {
        code: "E032",
        title: "an earlier run that this one cannot start from",
        text: "A run can start with the grains of an earlier one: at its end, at the end of a stage, or in a frame. The folder must hold a run of the same dimension that has reached this point, its materials must exist here with the same densities, and its files must be those of this version of the program.",
    },
    Code {
        code: "E033",
        title: "a rule that is never met",
        text: "The end of a stage waits for something that cannot happen in it: a wall that nothing moves is never displaced, and between two fixed walls there is no strain.",
    },
    Code {
        code: "E034",
        title: "an expression that cannot be computed",
        text: "A text in place of a number is a number with a unit, or an expression of such numbers, names of [parameters], + - * / ^, brackets, the constant pi and the functions sqrt sin cos tan asin acos atan atan2 exp log abs min max floor ceil round. The message points at the part that cannot be read, or that has no value: a division by zero, the root of a negative number.",
    },
    Code {
        code: "E035",
        title: "an impossible parameter",
        text: "The name of a parameter has letters, digits and `_`, begins with a letter, and is not a unit, function or constant: `g` is gram, `h` hour, `min` both minute and function. A parameter may be computed from others, but not from itself.",
    },
    Code {
        code: "E036",
        title: "a parameter of a resolved scenario",
        text: "The scenario.toml in the folder of a run is resolved: its values are numbers that were computed from the parameters, and [parameters] only tells what these were. Changing one there would change nothing else. Change it in the scenario that the run was made from, which --set can do as well, or change the numbers of the resolved scenario.",
    },
    Code {
        code: "E041",
        title: "a mesh that cannot be a wall",
        text: "A mesh must not have a triangle without area, because it has no normal, or more than two million plates, edges and corners. If grains stay inside or outside of it, it must be closed: two triangles meet at every edge, with their corners listed in the same sense as seen from outside. The message names how many edges are open, and where the first is. Without `grains` it is a thin sheet, which may be open.",
    },
    Code {
        code: "E042",
        title: "a stone at a kind of wall that does not take it",
        text: "Stones touch planes, boxes and cylinders with their corners, and the points of lines, the edges and corners of meshes and the outside of cylinders between them. The edges of turned profiles would touch them between their corners, which is not implemented. The same holds for the bumps of rough planes; capsules cannot touch bumps either. At a mesh a stone has at most 1024 edges. Spheres and clumps touch all walls; a stone with fixed = true can stand for an obstacle.",
    },
    Code {
        code: "E043",
        title: "a periodic cell that is impossible",
        text: "What leaves a periodic cell on one side enters it on the other: no wall may cross an axis along which it repeats, the length must be a multiple of the spacing of bumps on planes, and three of the largest grains must fit side by side, so that two grains never meet from both sides. A cell is sheared along one of its periodic axes and across another, in all stages in the same plane, with a rate or under a shear stress. A cell that follows a stress repeats along every axis; a length either follows a stress or grows at a given rate, not both. The methods \"cd\" and \"md\" have cells, \"dae\" does not.",
    },
    Code {
        code: "E045",
        title: "beyond event-driven dynamics",
        text: "The method \"ed\" moves disks and spheres that fly freely and collide, and computes the time of every collision by a formula. It has planes and boxes that stand still or move with a constant velocity, gravity, friction, restitution, and periodic cells. It has no other shapes and walls, no forces besides gravity, no cells that change, no contacts that last: no cohesion, rolling or torsion friction, and no rule that looks at forces. Grains held in place are possible without gravity only, because all others must fall alike. The methods \"cd\" and \"md\" have all of it.",
    },
    Code {
        code: "E101",
        title: "the folder holds a run already",
        text: "Results are never overwritten unasked. Choose another folder with -o, go on with `drystone resume`, or replace the run with --force.",
    },
    Code {
        code: "E102",
        title: "the folder holds no run",
        text: "A run folder has a scenario.toml and a checkpoint.npz. Name the folder that `drystone run` wrote.",
    },
    Code {
        code: "E103",
        title: "a file could not be written or read",
        text: "The disk is full, the folder is not writable, or a file is damaged. What was written before stays readable: series.csv ends with a whole row, frames and checkpoint are whole. Make room and `drystone resume`.",
    },
    Code {
        code: "E104",
        title: "not a contact problem that can be solved",
        text: "`drystone solve` reads local problems of FCLIB: an HDF5 file with the group fclib_local, in it spacedim (2 or 3), the matrix W and the vectors q and mu. W is square with a positive definite block on its diagonal for every contact; all numbers are finite. The message names the dataset and what was expected.",
    },
    Code {
        code: "E105",
        title: "the file exists already",
        text: "Results are never overwritten unasked. Choose another file with -o, or replace the file with --force.",
    },
    Code {
        code: "E106",
        title: "a run contradicts itself",
        text: "A number in the folder contradicts the others: forces that do not balance weight and inertia of a grain, a normal that does not fit the positions, an energy that series.csv states otherwise. `drystone certify` names the frame, the body and both numbers. Either a file was altered or damaged, or the program that wrote it was wrong: report the latter.",
    },
    Code {
        code: "E107",
        title: "nothing to measure",
        text: "There is nothing to measure: the region contains no grain, no contact carries a force there, the measure does not exist, or it needs an option such as --wall or --below. `drystone measure --list` names the measures; choose a region that contains grains: `drystone info` and `drystone picture` show where they are. The first frame has no forces.",
    },
    Code {
        code: "E201",
        title: "a position or velocity is not a number",
        text: "Arithmetic has overflowed, usually because the start is impossible. The last checkpoint is good: look at it with `drystone picture`.",
    },
    Code {
        code: "E202",
        title: "a grain went through a wall",
        text: "The centre of a grain is behind a wall. With a time step in which grains move less than their radius this does not happen; fast walls and steps that did not converge can do it.",
    },
    Code {
        code: "E203",
        title: "two grains have the same centre",
        text: "Such a pair has no normal. It can only arise from a start that is impossible or from steps that did not converge.",
    },
    Code {
        code: "E204",
        title: "a step did not reach its accuracy",
        text: "The scenario says unconverged = \"fail\". Raise max_sweeps, lower the accuracy, or take unconverged = \"warn\" and look at the residuals in series.csv.",
    },
    Code {
        code: "E205",
        title: "a stored problem was not solved to its accuracy",
        text: "The result was written all the same, with the residual that was reached. Raise --max-sweeps or ask for less accuracy. For packings that are about to fail the residual falls ever more slowly, whatever the method.",
    },
    Code {
        code: "E206",
        title: "a law that the solver does not have",
        text: "With solver = \"newton\" contacts can have friction and restitution, but no cohesion, rolling or torsion friction. Take solver = \"sweeps\".",
    },
    Code {
        code: "E207",
        title: "a grain flies off",
        text: "A soft grain moves more than half its radius in a step, or its velocity is not a number. Either the time step is too long for the collisions, so that overlaps grow instead of shrinking, or grains overlapped deeply when they met: at the start, or because a wall was driven into them. The message names the grain and the bodies that it touches.",
    },
    Code {
        code: "E208",
        title: "a periodic cell has become too small",
        text: "A cell that follows a stress has shrunk until three of its largest grains do not fit side by side: two grains could meet from both sides. Start with more grains.",
    },
    Code {
        code: "E241",
        title: "a grain went through a wall",
        text: "The centre of a grain, or of a ball of a clump, has come from one side of a wall to the other: of a thin wall (a line, a turned profile, a mesh), or through a solid one within a step. Results would be meaningless, so the run ends; the last checkpoint is from before. A soft grain passes a thin wall if its energy is more than its spring can store over a radius: for a linear spring if m v^2 > k r^2. Take a higher stiffness. A rigid grain passes if it goes further than its radius in a step and the scheme is \"midpoint\", or if a step that did not converge lets it. Take a smaller time step, or more accuracy.",
    },
    Code {
        code: "E242",
        title: "a grain inside another one",
        text: "Two grains overlap by the radius of the smaller one, or more. At that depth no contact law is valid: when the centres pass each other the normal is reversed, and the contact pushes the grains apart on the wrong sides. Results would be meaningless, so the run ends; the last checkpoint is from before. Soft grains need a higher stiffness, or less speed or load: a linear spring is compressed by v sqrt(m/k) in a collision, with the reduced mass m. Rigid ones need a smaller time step or more accuracy, or overlapped at the start.",
    },
    Code {
        code: "E243",
        title: "collisions accumulate",
        text: "In event-driven dynamics grains that come to rest on each other, or on a wall, collide ever more often: a ball with restitution e that is dropped on a floor makes infinitely many jumps in a finite time (inelastic collapse). The run ends when a grain has collided a thousand times in a row with no way in between but rounding; the state at the end of the step before is kept. Go on with a method that knows contacts that last: `drystone continue run.out --set method.use=cd -o next.out`, with a [method.cd] in the scenario. Or write contact_time in [method.ed]: collisions sooner than that after another are then elastic, and W243 counts them. It does not help where restitution is 0.",
    },
    Code {
        code: "E244",
        title: "hard grains that overlap",
        text: "Event-driven dynamics computes when surfaces meet, so that grains must not overlap at the start of a step by more than rounding, a part of 1e-9 of the radius. Place them apart: how = \"random\" does so without `overlap`. A packing from another method has overlaps: take \"cd\" or \"md\" for it. Walls that are driven towards each other squeeze grains until they overlap.",
    },
    Code {
        code: "E251",
        title: "the folder is in use by a run",
        text: "Another process writes into this folder: two runs in one folder would spoil both. Wait for its end, stop it with Ctrl-C, or choose another folder with -o. The lock is the file .lock; the system releases it when the process ends, also if it is killed, so there is nothing to remove by hand.",
    },
    Code {
        code: "E252",
        title: "a table was changed while its run goes on",
        text: "series.csv or events.csv was removed, replaced or edited by another program, and rows would be lost without notice. The run stops; its last checkpoint is intact. `drystone resume` refuses a table that is not what the run wrote: put the old one back, or remove it. A missing table is started again, and W251 says which rows are lost.",
    },
    Code {
        code: "E253",
        title: "the folder of a run was removed or replaced",
        text: "While the run was going on its folder was removed, or replaced by that of another run. The run stops, and writes nothing into a folder that is not its own.",
    },
    Code {
        code: "E254",
        title: "a checkpoint that does not belong to its scenario",
        text: "Checkpoints carry the digest of the scenario that they were made with, and a seal of their own. Either the file was changed or belongs to another run, or scenario.toml was edited. Restore the original files. To go on with other parameters start a new run with --from.",
    },
    Code {
        code: "E255",
        title: "files that no run wrote",
        text: "A run would write over files in this folder that are not those of a run: a scenario.toml of your own, for instance. They are never touched, not even with --force. Take another folder with -o, or move them away.",
    },
    Code {
        code: "E256",
        title: "files are not as the run wrote them",
        text: "report.json holds a digest of every file of its run (BLAKE3), and a seal of its own text. Some file differs from what the run wrote, is missing, or was added to the frames. Files that you add elsewhere in the folder do not matter. `drystone certify` says whether the numbers contradict each other, too.",
    },
    Code {
        code: "E261",
        title: "more than can be built",
        text: "A scenario has at most 2,000,000 grains, those that are poured included, 100,000 blocks of [[build]], 200 materials, and 100 bumps of a rough plane in a row under a single grain; a deposit by `ballistic` has at most 30,000 grains. Counts are checked before anything is placed, so that a typing error is reported at once. A scenario that does not fit into the memory of the machine is refused, too.",
    },
    Code {
        code: "E262",
        title: "no time step, or too many steps",
        text: "The time step of soft grains follows from their shortest collision, that of rigid ones from how fast they can move: without gravity, and if nothing moves at the start and no drive sets a speed, there is none. Where grains are damped so much that they never part (overdamped, with cut = false), or cannot touch at all, there is none: write time_step, or other laws. A run of more than 9e15 steps cannot be counted: the clock would stand still when a step is added to it.",
    },
    Code {
        code: "E263",
        title: "a body moves too far in a step",
        text: "Contacts follow from the positions at the start of a step. W202 warns if grains move half a radius in a step; a grain that moves a thousand of its radii, or a wall that moves a thousand radii of the largest grain, would pass through everything. `drystone check` refuses it at the start, and a run stops when it happens. Take a smaller time step, or find out why something is so fast: wrong forces, or overlaps at the start.",
    },
    Code {
        code: "E264",
        title: "a grain too far away for the precision of numbers",
        text: "Numbers have 16 digits. A grain 1e15 of its radii away from the origin is smaller than the rounding of its position: it has no contacts. A mass, a radius that was drawn from an unbounded distribution, or a cell that is 1e9 of its lengths away can exceed the precision, too. Numbers of a scenario are at most 1e50 in SI units, so that products of six of them, such as moments of inertia, are still numbers.",
    },
    Code {
        code: "E265",
        title: "a quantity in the series is not a number",
        text: "Positions and velocities are finite, but an energy or another measure has overflowed. The run stops before it is written. A unit may be wrong somewhere, or a point that a spring or a rod is attached to is very far away.",
    },
    Code {
        code: "W101",
        title: "detachment effect",
        text: "Soft collisions take time. If grains collide with several others at once, for longer than they fly in between, the collisions overlap: a cluster that hits a wall bounces back as a whole and loses less energy than its pairs would one after the other, and the more grains it has, the less it loses (Luding, in Wolf's lecture). A column of ten grains with e = 0.9 comes back with 0.96 of its velocity instead of 0.33. Stiffer grains have shorter collisions; in Contact Dynamics collisions take no time. The warning is given when half of all colliding contacts share a grain.",
    },
    Code {
        code: "W102",
        title: "brake failure",
        text: "Grains that meet faster than V_c = 4 R cos(theta) / tau have passed each other before their collision is over: 2 R is the sum of their radii, theta the angle between velocity and normal, tau the time of a collision. Beyond it fast grains are slowed down less than slow ones, which matters in flows down rough slopes (Wolf's lecture). Stiffer grains have a shorter tau and a higher V_c.",
    },
    Code {
        code: "W103",
        title: "static friction that creeps or oscillates",
        text: "Friction of soft grains comes from a spring or a dashpot. A spring without a dashpot never comes to rest: a contact that does not slide oscillates. A dashpot without a spring holds nothing: grains that should be at rest creep. Take \"cundall_strack\" or \"mindlin\" with a tangential dashpot; a small stretch of the spring remains, because static friction is not exact with springs (Chen et al., section 3.2). The warning is given after twenty oscillations, or a path of five overlaps without sliding.",
    },
    Code {
        code: "W104",
        title: "forces jump or are cut often",
        text: "A linear dashpot acts from the first touch: its force jumps when grains touch, and pulls when they separate, where it is cut to zero. In a collision with e = 0.3 there is no force for nearly a third of the time of overlap. Dashpots that vanish with the overlap, as in \"hertz_tsuji\" and \"hertz_viscoelastic\", do not jump; the nearer the restitution is to 1, the less is cut. The warning is given when more than a tenth of all overlapping contacts carry no force.",
    },
    Code {
        code: "W105",
        title: "deep overlap of soft grains",
        text: "Soft grains represent stiff ones as long as they overlap little. Beyond 1 % of the radius the contacts of a grain influence each other, the solid fraction is wrong by several percent, and sound is slow. Use stiffer grains; the time step shrinks with the square root of the stiffness.",
    },
    Code {
        code: "W106",
        title: "a time step too long for the collisions seen",
        text: "Grains met faster than was expected when the time step was chosen, and collisions of Hertz grains get shorter with velocity. A collision of fewer than 20 steps is not resolved: the restitution is wrong, and energy can grow. Write the largest approach velocity as `speed` in [method.md], or a shorter time_step. W211 warns of the same before the run.",
    },
    Code {
        code: "W111",
        title: "cohesion without range",
        text: "A tensile force that acts only at zero distance takes no energy to overcome. A collision transmits a finite momentum within one step, as a force that grows when the time step shrinks: the slightest shock breaks every cohesive contact if the time step is short enough (Brendel et al., section 1.8). The time step becomes part of the physics. Give the cohesion an energy or a range.",
    },
    Code {
        code: "W112",
        title: "restitution with the Euler scheme",
        text: "The scheme \"euler\" closes a gap within the step in which bodies meet: a random part g / dt of the approach speed u is left, and only bodies that touch exactly afterwards bounce, with that part. At a flat wall this is so, and the grain keeps e^2 / 3 of its energy on average, whatever the time step. Round grains that meet at an angle slide along each other while the gap closes, their surfaces separate by (u_t dt)^2 / 2 r, and nothing bounces: restitution is effectively zero. The scheme \"midpoint\" detects contacts in the middle of the step and keeps the full speed: write scheme = \"midpoint\" in [method.cd]. W241 estimates what a gas loses.",
    },
    Code {
        code: "W113",
        title: "convergence by the change of forces",
        text: "The criterion \"force_change\" (Radjai and Richefeu, eq. 41) stops when forces change little from one sweep to the next. In a large packing they change little in every sweep, long before they are right: it bounds the change, not the error. The criterion \"natural\" looks at the contact laws themselves.",
    },
    Code {
        code: "W114",
        title: "parallel update of contacts",
        text: "With order = \"parallel\" all contacts of a sweep see the velocities from before the sweep. Contacts that share a grain then all push it as if they were alone, and in a packing the sweeps diverge. This option shows why contacts must be solved one after the other (Brendel et al., section 1.5).",
    },
    Code {
        code: "W115",
        title: "a law that has no effect on soft grains",
        text: "A [[contact]] holds for all methods, but soft grains take some of it from elsewhere: tangential restitution comes from the tangential spring, restitution that falls with the speed from a normal law that does so, friction needs a tangential law with a slider, and rolling or torsion laws need a limit. The message names what is written and has no effect on this run.",
    },
    Code {
        code: "W116",
        title: "a stage that may never end",
        text: "This stage ends only if the grains come to rest, forces balance or a flow stops. Grains that are shaken, or that lose no energy, never do. A `limit` ends the stage in any case, and the report says what ended it.",
    },
    Code {
        code: "W117",
        title: "a stage that is never reached",
        text: "The run is over, by [stop], before this stage can begin: what it drives never moves, and its gate never opens. The stages before it take too long, or the run ends too early. If it is a short trial of a long scenario, ignore this.",
    },
    Code {
        code: "W118",
        title: "an unusual density",
        text: "Solids have densities between 10 kg/m3 (the lightest foams) and 23,000 kg/m3 (osmium). A bare number is in kg/m3: 2.65 is a gas of high pressure, \"2.65 g/cm3\" is sand. If you use other units than SI throughout, ignore this warning.",
    },
    Code {
        code: "W119",
        title: "gravity that points upwards",
        text: "The last component of gravity is positive: grains fall to the upper side. Down is [0, \"-9.81 m/s2\"] in the plane and [0, 0, \"-9.81 m/s2\"] in space.",
    },
    Code {
        code: "W120",
        title: "a parameter that is not used",
        text: "No value of the scenario is computed from this name in [parameters]: changing it changes nothing. It may be left over, or a value that should depend on it may be written as a number. Setting such a parameter with --set is a mistake, E017.",
    },
    Code {
        code: "W131",
        title: "slip in both directions",
        text: "Both accelerations a_I and a_II of a contact at rest are above zero: it could start in either direction (case 4 of Chen et al., section 3.4; Painleve's paradox). With normal forces from overlaps this happens only while the normal force pulls, in laws with cut = false; the contact has no friction then. Between rigid stones it happens where a corner slides and friction presses it into the other body more than the normal force separates them, mu |W_nt| >= W_nn: Contact Dynamics then ends the slip by an impulse. The message names the contact.",
    },
    Code {
        code: "W132",
        title: "the sticking contacts were not found",
        text: "With normal forces given, which contacts stick follows from a convex problem, and the search for its solution is a descent, so it cannot cycle. It stops after 100 rounds, or when rounding allows no further descent, and the message states the error of slips or directions of friction: accelerations over the largest one without friction, or angles in rad. The step is made with what was found. If this warning is frequent, or the number is large, take a smaller time step.",
    },
    Code {
        code: "W133",
        title: "too many events in a step",
        text: "With events = true a step is cut at every event, 200 times at most. The rest of the step is then made in one piece: contacts change at its end, as they do without events. The cause is many grains that meet within one step, or a contact that opens and closes ever faster. Take a smaller time step, or switch events off: they are meant for few grains.",
    },
    Code {
        code: "W134",
        title: "grains grow although they are jammed",
        text: "Jammed rigid grains have no room to grow into. No velocities solve such a step: growth becomes overlap, and forces build up from step to step as in springs whose stiffness depends on the time step (Radjai and Richefeu, section 7). The packing at the moment at which this began is the result. End the stage there, until = { pressure = .. } or { solid_fraction = .. }, and let a cell or piston press it to a pressure.",
    },
    Code {
        code: "W135",
        title: "a wall moves in on jammed grains",
        text: "Jammed rigid grains have no room left, but a wall with a velocity, or a cell with a rate, still moves in on them. No velocities solve such a step: the motion of the wall becomes overlap, and forces build up from step to step as in springs whose stiffness depends on the time step (Radjai and Richefeu, section 7). The warning is given when work against overlap is more than half of the energy that contacts take in a step and of forces times paths of such walls, walls put in more than half of it, and overlaps are older than ten such steps; grains that flow lose it by friction and collisions. Drive the wall by a force or pressure and give it a mass, let the cell follow a stress, or end the stage before the grains jam: until = { solid_fraction = .. } or { displacement = .. }.",
    },
    Code {
        code: "W141",
        title: "a mesh with open edges",
        text: "The mesh is a thin sheet with a rim: grains touch the rim, and can pass beside it. That is right for a chute or a funnel. If the mesh was meant to be closed, triangles are missing, or points that should coincide are stored with different numbers. The message says where the first open edge is. With grains = \"inside\" or \"outside\" an open mesh is refused.",
    },
    Code {
        code: "W142",
        title: "a mesh of another size than the grains",
        text: "The mesh is smaller than the largest grain, or more than a million times larger than the smallest. These files have no units: `unit` is the length that the number 1 in the file means, \"1 mm\" for most CAD drawings, \"1 m\" for most graphics.",
    },
    Code {
        code: "W143",
        title: "a gate that stays shut",
        text: "A wall is called a gate, and nothing opens or moves it: neither its own `drive` nor that of a stage. Write drive = { gate = \"open\" } in the stage in which grains should flow, or give the wall another name.",
    },
    Code {
        code: "W201",
        title: "steps that did not converge",
        text: "The contact laws do not hold as exactly as was asked for, or velocities or overlaps are not known as well: the packing behaves as if the grains were slightly elastic, with a sound speed that grows with the number of sweeps (Brendel et al., section 1.6). Raise max_sweeps; with a few hundred contacts take solver = \"newton\"; or accept it knowingly. Forces that are uncertain although the laws hold are another thing (W204).",
    },
    Code {
        code: "W202",
        title: "the time step is large",
        text: "Contact Dynamics takes the normal of a contact as constant during a step. A grain that moves more than half its radius in a step turns its normals too far. Grains in free flight do no harm; for others take a smaller time step.",
    },
    Code {
        code: "W203",
        title: "grains overlap",
        text: "Overlaps are the error of the method: they come from steps that did not converge, from time steps that are too large, or from the start. More accuracy or a smaller time step makes them smaller.",
    },
    Code {
        code: "W204",
        title: "forces less certain than asked for",
        text: "In these steps the contact laws hold and the motion is known as exactly as was asked for, but the force error eta is larger than its limit: the steps converged, and only single contact forces are less certain. Where the message says that the laws do not determine them, two sets of forces that differ by more obey the laws ten times more exactly than was asked for, with the same motion. That is a property of packings of rigid grains with friction, and no number of sweeps changes it. Motion, flow and sums over many contacts are as good as ever. In the other steps more max_sweeps may help. If single forces do not matter, leave out force_error: accuracy = { residual = 1e-5, velocity_error = 0.1, overlap_growth = 1e-4 } is standard without it.",
    },
    Code {
        code: "W211",
        title: "a time step longer than advisable",
        text: "Soft collisions must be resolved: a step is at most the `fraction` of the shortest collision, which is found with damping and cut, for the lightest grains, at the largest velocity to expect. Longer steps are made if the scenario asks for them; energy is then not conserved, and overlaps can grow. Write time_step = \"auto\", or take softer grains.",
    },
    Code {
        code: "W212",
        title: "energy from nothing",
        text: "Rigid contacts can only take energy. In some steps groups of grains in touch gained some, and together more than a hundredth of the energy of the run. Either steps did not converge (W201: large mass ratios, too few sweeps; try solver = \"newton\" or more accuracy), or grains with restitution and friction met in several contacts at once, where Newton's law of restitution creates energy: try less restitution. `drystone certify` fails on such a run.",
    },
    Code {
        code: "W213",
        title: "a time step far from the one advised",
        text: "In a step of Contact Dynamics grains should move a small part of their radius, so that the normals of contacts hardly change: a twentieth of the smallest radius at the speed of a fall through a diameter, and at that of the fastest grain or wall at the start; half of it in the longest fall. The warning is given if the time step is more than ten times as long, or less than a thousandth, which only costs time. Write time_step = \"auto\" to take the advised one. A longer one does no harm if nothing moves; a shorter one is right if something will be faster than the program can know.",
    },
    Code {
        code: "W231",
        title: "no equilibrium to start from",
        text: "No set of contact forces, each within its friction cone, holds all grains against their weights and other loads: this was proved, by a motion that all contacts would allow and in which the loads do work (the theorem of the alternative). So `start_forces = \"equilibrium\"` has nothing to start from. The run starts as the grains are placed, and grains will move. Torques of rolling and torsion friction are not taken into account. With more friction, or another shape, an equilibrium may exist.",
    },
    Code {
        code: "W232",
        title: "an equilibrium was not found",
        text: "`start_forces = \"equilibrium\"` looked for contact forces within all friction cones that balance the loads, and found neither such forces nor a proof that there are none. Rigid grains: the case is so near the limit that many more rounds would be needed. Soft grains: forces exist that would hold rigid grains, but overlaps with these forces were not found; this search can fail. The run starts as the grains are placed. The message says which part of the loads is unbalanced.",
    },
    Code {
        code: "W241",
        title: "a gas that cools because of the scheme",
        text: "Without gravity nothing but collisions changes the kinetic energy of a gas. With scheme = \"euler\" restitution is effectively zero between round grains that do not meet head-on (W112), so that a gas with restitution 1, whose energy should stay constant, cools like a gas of clay balls. How often grains meet until the end of the run is estimated by Enskog's rate, for a gas as dense and as hot as at the start, and the share of the energy that is lost by Haff's law, T = T_0 / (1 + t / tau)^2 with 1 / tau = (1 - e^2) omega_0 / (2 d), with e = 0 and with the e that was asked for. Beyond some ten collisions clusters form, and less is lost than that. Write scheme = \"midpoint\" in [method.cd].",
    },
    Code {
        code: "W243",
        title: "collisions made elastic",
        text: "The scenario has a contact_time in [method.ed]: a collision that follows the last one of either grain sooner than that is elastic and smooth, because real contacts last some time and do not lose energy again while they do (TC model of Luding and McNamara). Without it such collisions would accumulate, E243. The message says how many of them there were. A small share hardly changes a gas; a large one means that grains rest on each other, or lie in clusters, and that they tremble instead of coming to rest. Contact Dynamics is the method for them.",
    },
    Code {
        code: "W251",
        title: "a table was started again",
        text: "A run was resumed and its series.csv or events.csv was no longer there. The rows up to that time are lost; frames and checkpoint are not.",
    },
    Code {
        code: "W252",
        title: "a folder that cannot be locked",
        text: "The file system has no locks, like some network drives. Nothing prevents a second run in the folder: do not start one.",
    },
];

/// A code by its name, whatever its case.
pub fn find(code: &str) -> Option<&'static Code> {
    CODES.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}
