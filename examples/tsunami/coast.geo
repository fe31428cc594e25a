// The sea off a coast with a bay, in meters; the shore of the mainland is 1500 m
// seawards of the boundary: see bed in sea.go. Made with
//
//   gmsh -2 -format msh41 -o coast.msh coast.geo

SetFactory("OpenCASCADE");

east = 37500;
Point(1) = {0, 0, 0};
Point(2) = {east, 0, 0};
Point(20) = {east, 30000, 0};
Point(21) = {0, 30000, 0};
For i In {1:19}
  y = 1500 * i;
  Point(100 + i) = {east + 2500 * Exp(-((y - 17000) / 4000)^2), y, 0};
EndFor
Line(1) = {1, 2};
Spline(2) = {2, 101:119, 20};
Line(3) = {20, 21};
Line(4) = {21, 1};
Circle(5) = {26000, 7500, 0, 900}; // a rock with cliffs
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5};
Plane Surface(1) = {1, 2};

Physical Curve("inflow") = {4};
Physical Curve("open sea") = {1, 3};
Physical Curve("coast") = {2, 5};
Physical Surface("water") = {1};

// Small triangles where waves are short: near the shores, and on the beach of the island.
Field[1] = Distance;
Field[1].CurvesList = {2, 5};
Field[1].NumPointsPerCurve = 200;
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = 380;
Field[2].SizeMax = 1100;
Field[2].DistMin = 2000;
Field[2].DistMax = 8000;
Field[3] = Ball;
Field[3].XCenter = 18000;
Field[3].YCenter = 17000;
Field[3].Radius = 3000;
Field[3].Thickness = 6000;
Field[3].VIn = 380;
Field[3].VOut = 1100;
Field[4] = Min;
Field[4].FieldsList = {2, 3};
Background Field = 4;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm = 6;
