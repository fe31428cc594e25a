// The other files here are what Gmsh 4.8 makes of mixed.msh, which was written by hand: with elements of first order, of
// second order, and of second order without nodes in the middle of faces and volumes. This makes one of them:
//
//	gmsh -0 make.geo
Mesh.MshFileVersion = 4.1;
Mesh.Binary = 0;
Mesh.SecondOrderIncomplete = 0;
Merge "mixed.msh";
SetOrder 2;
Save "second-4.1-text.msh";
