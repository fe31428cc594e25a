// A steel plate with a hot pipe through it and a hole for a bolt, in meters. Made with
//
//   gmsh -2 -format msh41 -o plate.msh plate.geo

SetFactory("OpenCASCADE");

Rectangle(1) = {0, 0, 0, 0.2, 0.1};
Disk(2) = {0.06, 0.05, 0, 0.02};
Disk(3) = {0.15, 0.05, 0, 0.01};
BooleanDifference(4) = { Surface{1}; Delete; }{ Surface{2, 3}; Delete; };

e = 0.001;
pipe() = Curve In BoundingBox{0.04 - e, 0.03 - e, -e, 0.08 + e, 0.07 + e, e};
bolt() = Curve In BoundingBox{0.14 - e, 0.04 - e, -e, 0.16 + e, 0.06 + e, e};
bottom() = Curve In BoundingBox{-e, -e, -e, 0.2 + e, e, e};
outside() = Boundary{ Surface{4}; };
outside() -= pipe();
outside() -= bolt();
outside() -= bottom();

Physical Surface("plate") = {4};
Physical Curve("pipe") = {pipe()};
Physical Curve("bolt") = {bolt()};
Physical Curve("bottom") = {bottom()};
Physical Curve("air") = {outside()};

Mesh.MeshSizeMax = 0.004;
Mesh.MeshSizeFromCurvature = 40;
Mesh.Algorithm = 6;
